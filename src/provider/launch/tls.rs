//! TLS between two processes of one person: each side makes a certificate for itself, and accepts
//! exactly the other's.
//!
//! Plugins in Go have P-521 certificates that claim to be authorities. Of the two ready
//! cryptography back ends of rustls only aws-lc knows P-521, and its own verifier refuses an
//! authority as a peer; so the certificate is compared byte for byte instead, which is stricter.
//! The own certificate is P-256, since Go is slow at P-521.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, SignatureScheme};
use std::sync::{Arc, OnceLock};
use tokio_rustls::TlsConnector;

/// The certificate of this process, and its key.
pub(crate) struct Identity {
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
    /// The certificate as a plugin gets it.
    pub(crate) pem: String,
}

/// The identity of this process, made once. The first time takes some 30 ms, in which the
/// cryptography collects randomness.
///
/// # Errors
/// When the cryptography has no randomness.
pub(crate) fn identity() -> Result<&'static Identity, String> {
    static IDENTITY: OnceLock<Result<Identity, String>> = OnceLock::new();
    let made = IDENTITY.get_or_init(|| make().map_err(|error| error.to_string()));
    made.as_ref().map_err(Clone::clone)
}

fn make() -> Result<Identity, rcgen::Error> {
    let key = rcgen::KeyPair::generate()?;
    let mut parameters = rcgen::CertificateParams::new(vec!["localhost".to_owned()])?;
    let mut name = rcgen::DistinguishedName::new();
    name.push(rcgen::DnType::OrganizationName, "pravo");
    name.push(rcgen::DnType::CommonName, "localhost");
    parameters.distinguished_name = name;
    parameters.extended_key_usages = vec![
        rcgen::ExtendedKeyUsagePurpose::ClientAuth,
        rcgen::ExtendedKeyUsagePurpose::ServerAuth,
    ];
    let certificate = parameters.self_signed(&key)?;
    Ok(Identity {
        pem: certificate.pem(),
        certificate: certificate.der().clone(),
        key: PrivateKeyDer::Pkcs8(key.serialize_der().into()),
    })
}

/// What connects to a plugin that has exactly this certificate.
///
/// # Errors
/// When the cryptography refuses the own certificate.
pub(crate) fn connector(identity: &Identity, peer: Vec<u8>) -> Result<TlsConnector, String> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let pinned = Pinned {
        peer,
        provider: provider.clone(),
    };
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(pinned))
        .with_client_auth_cert(vec![identity.certificate.clone()], identity.key.clone_key())
        .map_err(|error| error.to_string())?;
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Accepts one certificate and no other.
#[derive(Debug)]
struct Pinned {
    peer: Vec<u8>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if end_entity.as_ref() == self.peer {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(rustls::Error::General(
                "the plugin serves with another certificate than it announced".into(),
            ))
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}
