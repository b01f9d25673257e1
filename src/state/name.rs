//! Addresses as file names and object keys.

use crate::{Address, hash};

/// The longest encoded name that is used as it stands, in bytes.
const LONGEST: usize = 200;

/// How much of a longer name is kept, in bytes.
const KEPT: usize = 150;

/// The name of an address in a store, without its ending: ASCII letters, digits, `.`, `_` and `-`
/// stay, any other character is `%` and four hexadecimal digits for each of its UTF-16 units. A
/// name above 200 bytes is cut and ends in a digest of the address.
pub fn encode(address: &Address) -> String {
    let mut name = String::new();
    for character in address.as_str().chars() {
        if character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-') {
            name.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            name.push_str(&format!("%{unit:04X}"));
        }
    }
    if name.len() > LONGEST {
        name.truncate(KEPT);
        name.push_str("%-");
        name.push_str(&hash::sha256_hex(address.as_str().as_bytes())[..32]);
    }
    name
}

/// The address of a name; nothing when the name was cut or is the name of no address. What the
/// object itself says counts.
pub fn decode(name: &str) -> Option<Address> {
    let mut units = Vec::new();
    let mut rest = name;
    while let Some(character) = rest.chars().next() {
        if let Some(encoded) = rest.strip_prefix('%') {
            let digits = encoded.get(..4)?;
            units.push(u16::from_str_radix(digits, 16).ok()?);
            rest = &encoded[4..];
        } else {
            units.extend(character.encode_utf16(&mut [0; 2]).iter());
            rest = &rest[character.len_utf8()..];
        }
    }
    let address = Address::parse(&String::from_utf16(&units).ok()?).ok()?;
    (encode(&address) == name).then_some(address)
}

#[cfg(test)]
mod tests;
