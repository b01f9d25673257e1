//! TLS on both sides: a certificate of this process, and the one certificate that may connect.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, PKCS_ECDSA_P521_SHA512,
};
use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, aws_lc_rs, verify_tls12_signature,
    verify_tls13_signature,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error, ServerConfig,
    SignatureScheme,
};
use std::io;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// The TLS side of a served plugin.
pub(super) struct Tls {
    certificate: CertificateDer<'static>,
    acceptor: TlsAcceptor,
}

impl Tls {
    /// TLS for the one client that has this certificate, in PEM.
    ///
    /// # Errors
    /// That the text is no certificate.
    pub(super) fn for_client(pem: &str) -> io::Result<Self> {
        let client = CertificateDer::from_pem_slice(pem.as_bytes()).map_err(|error| {
            io::Error::other(format!("PLUGIN_CLIENT_CERT holds no certificate: {error}"))
        })?;
        let (certificate, key) = own().map_err(io::Error::other)?;
        let crypto = Arc::new(aws_lc_rs::default_provider());
        let verifier = Arc::new(Pinned::new(client, &crypto));
        let mut config = ServerConfig::builder_with_provider(crypto)
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_client_cert_verifier(verifier)
            .with_single_cert(vec![certificate.clone()], key.into())
            .map_err(io::Error::other)?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Self {
            certificate,
            acceptor: TlsAcceptor::from(Arc::new(config)),
        })
    }

    /// The certificate as the handshake line has it.
    pub(super) fn announced(&self) -> String {
        STANDARD_NO_PAD.encode(&self.certificate)
    }

    /// What accepts connections.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        self.acceptor.clone()
    }
}

/// A certificate for this process alone, of the form that released plugins use.
fn own() -> Result<(CertificateDer<'static>, PrivatePkcs8KeyDer<'static>), rcgen::Error> {
    let key = KeyPair::generate_for(&PKCS_ECDSA_P521_SHA512)?;
    let mut params = CertificateParams::new(["localhost".to_owned()])?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![
        KeyUsagePurpose::DigitalSignature,
        KeyUsagePurpose::KeyEncipherment,
        KeyUsagePurpose::KeyAgreement,
        KeyUsagePurpose::KeyCertSign,
    ];
    params.extended_key_usages = vec![
        ExtendedKeyUsagePurpose::ClientAuth,
        ExtendedKeyUsagePurpose::ServerAuth,
    ];
    params
        .distinguished_name
        .push(DnType::OrganizationName, "pravo");
    params
        .distinguished_name
        .push(DnType::CommonName, "localhost");
    let certificate = params.self_signed(&key)?.der().clone();
    Ok((certificate, PrivatePkcs8KeyDer::from(key.serialize_der())))
}

/// Accepts one certificate, byte for byte, and whoever proves to have its key.
#[derive(Debug)]
struct Pinned {
    client: CertificateDer<'static>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl Pinned {
    fn new(client: CertificateDer<'static>, crypto: &CryptoProvider) -> Self {
        Self {
            client,
            algorithms: crypto.signature_verification_algorithms,
        }
    }
}

impl ClientCertVerifier for Pinned {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        if certificate.as_ref() == self.client.as_ref() {
            Ok(ClientCertVerified::assertion())
        } else {
            Err(CertificateError::ApplicationVerificationFailure.into())
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
