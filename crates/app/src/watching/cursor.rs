//! Cursors as callers get them: opaque, and bound to their list by a digest, which also detects damage.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kuraka_ports::{TokenKind, WatchListId};
use sha2::{Digest, Sha256};

/// Bytes of the digest.
const CHECK: usize = 8;

pub(super) fn bind(list: WatchListId, content: &str) -> String {
    URL_SAFE_NO_PAD.encode([&check(list, content.as_bytes())[..], content.as_bytes()].concat())
}

/// `None` = damaged, or of another list.
pub(super) fn open(list: WatchListId, cursor: &str) -> Option<String> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (found, content) = bytes.split_first_chunk()?;
    (*found == check(list, content)).then(|| String::from_utf8(content.to_vec()).ok())?
}

fn check(list: WatchListId, content: &[u8]) -> [u8; CHECK] {
    let kind: &[u8] = match list.kind {
        TokenKind::Live => b"",
        TokenKind::Test => b"test",
    };
    let digest = Sha256::new().chain_update(list.account.0.to_be_bytes()).chain_update(kind).chain_update(content);
    let digest = digest.finalize();
    digest.first_chunk().copied().unwrap_or_default()
}
