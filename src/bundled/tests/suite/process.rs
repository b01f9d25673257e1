//! A plugin in a process of its own, and a connection to it.

use hyper_util::rt::TokioIo;
use pravo_proto::tfplugin5::provider_client::ProviderClient;
use rcgen::{CertificateParams, KeyPair, PKCS_ECDSA_P256_SHA256};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::UnixStream;
use tokio_rustls::TlsConnector;
use tonic::transport::{Channel, Endpoint};

const COOKIE: &str = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";

/// The largest answer that is taken.
const MAX_MESSAGE: usize = 256 << 20;

/// The program, which `cargo test` builds beside the tests.
pub(crate) fn program() -> PathBuf {
    let tests = std::env::current_exe().expect("a test knows its program");
    let built = tests
        .parent()
        .and_then(Path::parent)
        .expect("a target directory");
    let program = built.join("examples/bundled-plugin");
    assert!(
        program.exists(),
        "run plain `cargo test`, which builds {}",
        program.display()
    );
    program
}

/// A start of the program with the environment of a host and nothing else.
pub(crate) fn command(plugin: &str) -> Command {
    let mut command = Command::new(program());
    command
        .arg(plugin)
        .current_dir("/")
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("TF_PLUGIN_MAGIC_COOKIE", COOKIE)
        .env("PLUGIN_PROTOCOL_VERSIONS", "6,5")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A certificate with its key, to show when connecting.
pub(crate) struct Identity {
    pub(crate) pem: String,
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
}

impl Identity {
    pub(crate) fn new() -> Self {
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).unwrap();
        let params = CertificateParams::new(["localhost".to_owned()]).unwrap();
        let certificate = params.self_signed(&key).unwrap();
        Self {
            pem: certificate.pem(),
            certificate: certificate.der().clone(),
            key: key.serialize_der(),
        }
    }
}

/// A running plugin that has printed its line.
pub(crate) struct Running {
    pub(crate) child: Child,
    /// The parts of the handshake line.
    pub(crate) line: Vec<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(directory) = self.socket().parent() {
            let _ = std::fs::remove_dir_all(directory);
        }
    }
}

impl Running {
    /// Starts the command and reads its handshake line.
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the program starts");
        let out = child.stdout.take().expect("a pipe");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("a line");
        let text = line.strip_suffix('\n').expect("a whole line");
        let line = text.split('|').map(str::to_owned).collect();
        Self { child, line }
    }

    /// The place of its socket.
    pub(crate) fn socket(&self) -> &Path {
        Path::new(&self.line[3])
    }

    /// Connects, with TLS when there is somebody to be.
    pub(crate) async fn connect(&self, identity: Option<&Identity>) -> std::io::Result<Channel> {
        let tls = identity.map(|identity| self.tls(Some(identity)));
        self.connect_with(tls).await
    }

    /// Connects with TLS but shows no certificate.
    pub(crate) async fn connect_as_nobody(&self) -> std::io::Result<Channel> {
        self.connect_with(Some(self.tls(None))).await
    }

    async fn connect_with(&self, tls: Option<TlsConnector>) -> std::io::Result<Channel> {
        let path = self.socket().to_owned();
        let connector = tower::service_fn(move |_| {
            let (path, tls) = (path.clone(), tls.clone());
            async move {
                let stream = UnixStream::connect(path).await?;
                let stream: Box<dyn Duplex> = match tls {
                    Some(tls) => {
                        let name = ServerName::try_from("localhost").expect("a name");
                        Box::new(tls.connect(name, stream).await?)
                    }
                    None => Box::new(stream),
                };
                Ok::<_, std::io::Error>(TokioIo::new(stream))
            }
        });
        Endpoint::from_static("http://localhost")
            .connect_with_connector(connector)
            .await
            .map_err(std::io::Error::other)
    }

    fn tls(&self, identity: Option<&Identity>) -> TlsConnector {
        let crypto = Arc::new(aws_lc_rs::default_provider());
        let announced = unpadded(&self.line[5]);
        let config = ClientConfig::builder_with_provider(crypto)
            .with_safe_default_protocol_versions()
            .unwrap()
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Announced(announced.into())));
        let mut config = match identity {
            Some(identity) => {
                let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(identity.key.clone()));
                config
                    .with_client_auth_cert(vec![identity.certificate.clone()], key)
                    .unwrap()
            }
            None => config.with_no_client_auth(),
        };
        config.alpn_protocols = vec![b"h2".to_vec()];
        TlsConnector::from(Arc::new(config))
    }

    /// Waits for its end; nothing when it does not come in time.
    pub(crate) fn exit_code(&mut self, limit: Duration) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < limit {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return Some(status.code().unwrap_or(-1));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }
}

/// The provider service at the end of a channel.
pub(crate) fn provider(channel: Channel) -> ProviderClient<Channel> {
    ProviderClient::new(channel).max_decoding_message_size(MAX_MESSAGE)
}

trait Duplex: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin {}

impl<T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin> Duplex for T {}

fn unpadded(text: &str) -> Vec<u8> {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD_NO_PAD
        .decode(text)
        .expect("base64 without padding")
}

/// Accepts the certificate of the handshake line and no other.
#[derive(Debug)]
struct Announced(CertificateDer<'static>);

impl ServerCertVerifier for Announced {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if end_entity.as_ref() == self.0.as_ref() {
            Ok(ServerCertVerified::assertion())
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
        let crypto = aws_lc_rs::default_provider();
        let algorithms = &crypto.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let crypto = aws_lc_rs::default_provider();
        let algorithms = &crypto.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let crypto = aws_lc_rs::default_provider();
        crypto.signature_verification_algorithms.supported_schemes()
    }
}
