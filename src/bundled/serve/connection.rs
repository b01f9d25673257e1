//! Connections of the host: accepted, proven by TLS where it is asked for, handed to the server.

use super::certificate::Tls;
use super::life::Visits;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::UnixListener;
use tokio::sync::mpsc;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::server::Connected;

/// How many accepted connections may wait for the server.
const WAITING: usize = 16;

/// How long to wait after a connection could not be accepted, as when there are too many files.
const RECOVERY: Duration = Duration::from_millis(100);

trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// One connection, with or without TLS.
pub(super) struct Connection(Box<dyn Duplex>);

/// The connections to a listener, as they come. One that fails in TLS is left out and does not
/// hold up the others.
pub(super) fn accept(
    listener: UnixListener,
    tls: Option<&Tls>,
    visits: Visits,
) -> ReceiverStream<io::Result<Connection>> {
    let (send, receive) = mpsc::channel(WAITING);
    let acceptor = tls.map(Tls::acceptor);
    tokio::spawn(async move {
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                sleep(RECOVERY).await;
                continue;
            };
            let (acceptor, send, visits) = (acceptor.clone(), send.clone(), visits.clone());
            tokio::spawn(async move {
                if let Ok(connection) = proven(stream, acceptor).await {
                    visits.note();
                    // A server that has ended takes no more connections.
                    let _ = send.send(Ok(connection)).await;
                }
            });
        }
    });
    ReceiverStream::new(receive)
}

async fn proven(
    stream: tokio::net::UnixStream,
    acceptor: Option<TlsAcceptor>,
) -> io::Result<Connection> {
    Ok(Connection(match acceptor {
        Some(acceptor) => Box::new(acceptor.accept(stream).await?),
        None => Box::new(stream),
    }))
}

impl Connected for Connection {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
