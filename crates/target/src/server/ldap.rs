//! Connections of LDAP: bytes in, bytes out. What they mean is told by [`exchange`].

mod exchange;
mod waiting;
mod wire;

use std::rc::Rc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use self::exchange::{End, Exchange};
use self::wire::{Turn, Wire};
use super::Server;

/// Serves a connection that begins without TLS, and goes on with it when the client asks for that.
pub(super) async fn serve_plain(
    server: Rc<Server>,
    number: u64,
    mut socket: TcpStream,
    tls: Option<TlsAcceptor>,
) {
    let mut exchange = Exchange::new(server, number);
    if serve(&mut exchange, &mut socket).await == End::StartTls {
        // The root entry only offers what there is, and nothing else is answered with success.
        let Some(tls) = tls else { return };
        handshake(&mut exchange, socket, &tls).await;
    }
}

/// Serves a connection that begins with TLS.
pub(super) async fn serve_tls(server: Rc<Server>, number: u64, socket: TcpStream, tls: &TlsAcceptor) {
    let mut exchange = Exchange::new(server, number);
    handshake(&mut exchange, socket, tls).await;
}

async fn handshake(exchange: &mut Exchange, socket: TcpStream, tls: &TlsAcceptor) {
    // A client that gives up has said why in its alert.
    let Ok(mut stream) = tls.accept(socket).await else { return };
    let certificates = stream.get_ref().1.peer_certificates();
    exchange.start_tls(certificates.and_then(|chain| chain.first()).map(AsRef::as_ref));
    serve(exchange, &mut stream).await;
}

/// Moves bytes between a stream and the exchange until one of them ends it.
async fn serve(exchange: &mut Exchange, stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> End {
    let timer = exchange.timer().clone();
    let mut wire = Wire::new(stream);
    loop {
        exchange.release(timer.now(), &mut wire.output);
        let (input, output) = wire.both();
        let taken = exchange.receive(input, output);
        wire.consume(taken);
        let end = exchange.end();
        if end == Some(End::StartTls) && !wire.input().is_empty() {
            // What was sent in the clear must not be taken for what is protected (RFC 4511, 4.14.1).
            exchange.disconnect(&mut wire.output);
            continue;
        }
        exchange.note_sending();
        let may_read = end.is_none() && exchange.may_receive();
        match wire.turn(may_read, exchange.next_due(), &timer).await {
            Turn::Gone => return End::Close,
            Turn::Read => exchange.note_arrival(timer.now()),
            Turn::Due => {}
            Turn::Written => {
                if let Some(end) = end {
                    return end;
                }
            }
        }
    }
}
