//! What the store keeps of lists and certificates: JSON, compressed.

use kuraka_tables::{packed, unpacked};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(super) fn pack(value: &impl Serialize) -> Option<Vec<u8>> {
    packed(&serde_json::to_vec(value).ok()?).ok()
}

pub(super) fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(&unpacked(bytes).ok()?).ok()
}
