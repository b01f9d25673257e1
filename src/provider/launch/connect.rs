//! The connection to a plugin. There is one for the life of the process: when it breaks it is not
//! made again, since the calls that were in flight are lost.

use super::handshake::Place;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use std::error::Error;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::TlsConnector;
use tonic::codegen::http::Uri;
use tonic::transport::{Channel, Endpoint};

/// The largest text of an error, in bytes, that is still read. Errors travel in headers.
const MAX_HEADERS: u32 = 4 << 20;

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}
type Boxed = TokioIo<Box<dyn Stream>>;
type Opening = Pin<Box<dyn Future<Output = io::Result<Boxed>> + Send>>;

/// Connects to a plugin, with TLS where it has a certificate.
///
/// # Errors
/// The innermost reason, such as a certificate that is not the announced one.
pub(crate) async fn connect(place: Place, tls: Option<TlsConnector>) -> Result<Channel, String> {
    let used = Arc::new(AtomicBool::new(false));
    let open = move |_: Uri| -> Opening {
        if used.swap(true, Ordering::SeqCst) {
            return Box::pin(async { Err(io::Error::other("the connection was lost")) });
        }
        Box::pin(open(place.clone(), tls.clone()))
    };
    Endpoint::from_static("http://localhost")
        .http2_max_header_list_size(MAX_HEADERS)
        .connect_with_connector(tower::service_fn(open))
        .await
        .map_err(|error| innermost(&error))
}

async fn open(place: Place, tls: Option<TlsConnector>) -> io::Result<Boxed> {
    let raw: Box<dyn Stream> = match place {
        Place::Unix(path) => Box::new(UnixStream::connect(path).await?),
        Place::Tcp(address) => Box::new(TcpStream::connect(address).await?),
    };
    let stream: Box<dyn Stream> = match tls {
        None => raw,
        Some(tls) => {
            let name = ServerName::try_from("localhost").map_err(io::Error::other)?;
            Box::new(tls.connect(name, raw).await?)
        }
    };
    Ok(TokioIo::new(stream))
}

/// The text of an error's innermost cause, which says more than the outer ones.
pub(crate) fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
