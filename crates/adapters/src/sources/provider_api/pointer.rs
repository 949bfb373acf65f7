//! JSON pointers (RFC 6901).

use std::fmt;

use serde_json::Value;

/// A pointer such as `/data/ruc` or `/ubigeo/2`; never to the whole document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pointer(Box<str>);

impl Pointer {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let tilde_is_escape = |rest: &str| rest.starts_with(['0', '1']);
        (text.starts_with('/') && text.split('~').skip(1).all(tilde_is_escape)).then(|| Self(text.into()))
    }

    pub(super) fn find<'v>(&self, document: &'v Value) -> Option<&'v Value> {
        document.pointer(&self.0)
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
