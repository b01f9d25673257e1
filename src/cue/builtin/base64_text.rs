//! Standard base64 with padding.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The base64 text of bytes.
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            if i > chunk.len() {
                out.push('=');
            } else {
                out.push(char::from(ALPHABET[(word >> (18 - 6 * i) & 63) as usize]));
            }
        }
    }
    out
}

/// The bytes of a base64 text, in which CR and LF count for nothing; or the offset that the
/// reference
/// reports for a wrong one.
pub fn decode(text: &str) -> Result<Vec<u8>, usize> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len() / 4 * 3);
    let mut at = 0;
    loop {
        let mut word = 0u32;
        let mut count = 0;
        while count < 4 {
            let Some(&byte) = bytes.get(at) else {
                return if count == 0 { Ok(out) } else { Err(at - count) };
            };
            at += 1;
            match byte {
                b'\n' | b'\r' => {}
                b'=' => {
                    padding(bytes, at, count)?;
                    push(&mut out, word << (6 * (4 - count) as u32), count - 1);
                    return Ok(out);
                }
                _ => {
                    let Some(digit) = ALPHABET.iter().position(|a| *a == byte) else {
                        return Err(at - 1);
                    };
                    word = word << 6 | digit as u32;
                    count += 1;
                }
            }
        }
        push(&mut out, word, 3);
    }
}

fn push(out: &mut Vec<u8>, word: u32, count: usize) {
    out.extend_from_slice(&word.to_be_bytes()[1..1 + count]);
}

/// Checks what follows the first `=`; `at` is behind it.
fn padding(bytes: &[u8], mut at: usize, count: usize) -> Result<(), usize> {
    let skip = |at: &mut usize| {
        while matches!(bytes.get(*at), Some(b'\n' | b'\r')) {
            *at += 1;
        }
    };
    match count {
        0 | 1 => return Err(at - 1),
        2 => {
            skip(&mut at);
            match bytes.get(at) {
                None => return Err(bytes.len()),
                Some(b'=') => at += 1,
                Some(_) => return Err(at - 1),
            }
        }
        _ => {}
    }
    skip(&mut at);
    if at < bytes.len() { Err(at) } else { Ok(()) }
}
