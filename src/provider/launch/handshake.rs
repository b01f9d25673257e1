//! The line that a plugin prints when it is ready:
//! `CORE|APP|NETWORK|ADDRESS|PROTOCOL|SERVERCERT[|MULTIPLEX]`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use std::path::PathBuf;

/// A shorter last field is text of old plugins, not a certificate.
const SHORTEST_CERTIFICATE: usize = 50;

/// Which version of the protocol a plugin speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protocol {
    /// Version 5.
    V5,
    /// Version 6.
    V6,
}

/// Where a plugin listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// At a unix socket.
    Unix(PathBuf),
    /// At an address and port.
    Tcp(String),
}

/// What a plugin says about itself when it is ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Handshake {
    /// The version of the protocol.
    pub(crate) protocol: Protocol,
    /// Where it listens.
    pub(crate) place: Place,
    /// Its certificate, in DER; nothing when it serves without TLS.
    pub(crate) certificate: Option<Vec<u8>>,
}

/// Reads the line.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub(crate) fn parse(line: &str) -> Result<Handshake, String> {
    let fields: Vec<&str> = line.trim().split('|').collect();
    if fields.len() < 4 {
        return Err(
            "it printed something else than its handshake; it may be no plugin, be made for \
             another kind of machine, lack libraries, or print text of its own"
                .into(),
        );
    }
    if fields[0] != "1" {
        return Err(format!("its handshake has version {:?}, want 1", fields[0]));
    }
    let protocol = match fields[1] {
        "5" => Protocol::V5,
        "6" => Protocol::V6,
        other => {
            return Err(format!(
                "it speaks protocol {other}, this program speaks 5 and 6"
            ));
        }
    };
    let place = match (fields[2], fields[3]) {
        (_, "") => return Err("it names no address".into()),
        ("unix", path) => Place::Unix(path.into()),
        ("tcp", address) => Place::Tcp(address.to_owned()),
        (other, _) => return Err(format!("it listens on {other:?}, want unix or tcp")),
    };
    match fields.get(4) {
        Some(&"grpc") => {}
        None | Some(&"netrpc") => return Err("it speaks netrpc, want grpc".into()),
        Some(other) => return Err(format!("it speaks {other:?}, want grpc")),
    }
    if fields.get(6) == Some(&"true") {
        return Err("it multiplexes its connection, which is not supported".into());
    }
    let certificate = match fields.get(5) {
        Some(text) if text.len() > SHORTEST_CERTIFICATE => {
            let der = STANDARD_NO_PAD.decode(text.trim_end_matches('='));
            Some(der.map_err(|_| "its certificate is no base64")?)
        }
        _ => None,
    };
    Ok(Handshake {
        protocol,
        place,
        certificate,
    })
}

#[cfg(test)]
mod tests;
