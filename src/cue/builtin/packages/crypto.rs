//! `crypto/…`: digests and keyed digests.

use crate::builtin::call::Call;
use crate::builtin::host::{Failure, Outcome};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{
    BYTES, Member, Package, Parameter, STRING, TO_BYTES, constant, function,
};
use ed25519_dalek::{Signature, Verifier, VerifyingKey};
use hmac::digest::KeyInit;
use hmac::{Hmac, Mac};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

const fn sum(name: &'static str, run: fn(&mut Call<'_>) -> Outcome) -> Member {
    const ONE: &[Parameter] = &[BYTES];
    function(name, ONE, TO_BYTES, run)
}

fn digest<D: Digest>(c: &mut Call<'_>) -> Outcome {
    Ok(D::digest(c.bytes(0)?).to_vec().into())
}

pub(super) static ED25519: Package = Package {
    path: "crypto/ed25519",
    members: &[
        constant("PublicKeySize", "32"),
        function("Valid", &[BYTES, BYTES, BYTES], Kind::BOOL, valid_signature),
    ],
    source: "",
};

fn valid_signature(c: &mut Call<'_>) -> Outcome {
    let (key, message, signature) = (c.bytes(0)?, c.bytes(1)?, c.bytes(2)?);
    let Ok(key) = <[u8; 32]>::try_from(key) else {
        return Failure::fatal("ed25519: publicKey must be 32 bytes");
    };
    let valid = VerifyingKey::from_bytes(&key).is_ok_and(|key| {
        Signature::from_slice(&signature).is_ok_and(|s| key.verify(&message, &s).is_ok())
    });
    Ok(valid.into())
}

pub(super) static MD5: Package = Package {
    path: "crypto/md5",
    members: &[
        constant("Size", "16"),
        constant("BlockSize", "64"),
        sum("Sum", digest::<Md5>),
    ],
    source: "",
};

pub(super) static SHA1: Package = Package {
    path: "crypto/sha1",
    members: &[
        constant("Size", "20"),
        constant("BlockSize", "64"),
        sum("Sum", digest::<Sha1>),
    ],
    source: "",
};

pub(super) static SHA256: Package = Package {
    path: "crypto/sha256",
    members: &[
        constant("Size", "32"),
        constant("Size224", "28"),
        constant("BlockSize", "64"),
        sum("Sum256", digest::<Sha256>),
        sum("Sum224", digest::<Sha224>),
    ],
    source: "",
};

pub(super) static SHA512: Package = Package {
    path: "crypto/sha512",
    members: &[
        constant("Size", "64"),
        constant("Size224", "28"),
        constant("Size256", "32"),
        constant("Size384", "48"),
        constant("BlockSize", "128"),
        sum("Sum512", digest::<Sha512>),
        sum("Sum384", digest::<Sha384>),
        sum("Sum512_224", digest::<Sha512_224>),
        sum("Sum512_256", digest::<Sha512_256>),
    ],
    source: "",
};

pub(super) static HMAC: Package = Package {
    path: "crypto/hmac",
    members: &[
        constant("MD5", "\"MD5\""),
        constant("SHA1", "\"SHA1\""),
        constant("SHA224", "\"SHA224\""),
        constant("SHA256", "\"SHA256\""),
        constant("SHA384", "\"SHA384\""),
        constant("SHA512", "\"SHA512\""),
        constant("SHA512_224", "\"SHA512_224\""),
        constant("SHA512_256", "\"SHA512_256\""),
        function("Sign", &[STRING, BYTES, BYTES], TO_BYTES, sign),
    ],
    source: "",
};

fn keyed<M: Mac + KeyInit>(key: &[u8], data: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut mac = <M as KeyInit>::new_from_slice(key).or_else(|_| Failure::fatal("invalid key"))?;
    mac.update(data);
    Ok(mac.finalize().into_bytes().to_vec())
}

fn sign(c: &mut Call<'_>) -> Outcome {
    let (name, key, data) = (c.string(0)?, c.bytes(1)?, c.bytes(2)?);
    let out = match name.as_str() {
        "MD5" => keyed::<Hmac<Md5>>(&key, &data),
        "SHA1" => keyed::<Hmac<Sha1>>(&key, &data),
        "SHA224" => keyed::<Hmac<Sha224>>(&key, &data),
        "SHA256" => keyed::<Hmac<Sha256>>(&key, &data),
        "SHA384" => keyed::<Hmac<Sha384>>(&key, &data),
        "SHA512" => keyed::<Hmac<Sha512>>(&key, &data),
        "SHA512_224" => keyed::<Hmac<Sha512_224>>(&key, &data),
        "SHA512_256" => keyed::<Hmac<Sha512_256>>(&key, &data),
        _ => Failure::fatal("unsupported hash function"),
    };
    Ok(out?.into())
}
