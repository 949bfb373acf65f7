//! Cursors as callers get them: opaque, and bound to their account by a digest, which also detects damage.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kuraka_ports::AccountId;
use sha2::{Digest, Sha256};

/// Bytes of the digest.
const CHECK: usize = 8;

pub(super) fn sign_cursor(account: AccountId, content: &str) -> String {
    URL_SAFE_NO_PAD.encode([&check(account, content.as_bytes())[..], content.as_bytes()].concat())
}

/// `None` = damaged, or of another account.
pub(super) fn open(account: AccountId, cursor: &str) -> Option<String> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (found, content) = bytes.split_first_chunk()?;
    (*found == check(account, content)).then(|| String::from_utf8(content.to_vec()).ok())?
}

fn check(account: AccountId, content: &[u8]) -> [u8; CHECK] {
    let digest = Sha256::new().chain_update(account.0.to_be_bytes()).chain_update(content).finalize();
    digest.first_chunk().copied().unwrap_or_default()
}
