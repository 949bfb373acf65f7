//! A search cursor as text: a page's last result and a digest of the query, so that it stays valid in another edition
//! and is refused with another query. At most 512 characters.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kuraka_domain::name::SearchMode;
use kuraka_domain::{DomicileCondition, Ruc, TaxpayerStatus};
use kuraka_ports::{NamePosition, NameQuery};
use sha2::{Digest, Sha256};

/// Bytes of a name; a longer one is cut.
const NAME: usize = 360;
const QUERY: usize = 6;
/// The digest of all other bytes detects damage.
const CHECK: usize = 4;

/// Whether a name may be cut. Its last letter has up to 4 bytes.
pub(super) const fn may_be_cut(name: &str) -> bool {
    name.len() > NAME - 4
}

/// The cursor of the page after `last` in the results of `query`.
pub(super) fn write(query: &NameQuery, last: &NamePosition) -> String {
    let name = last.name.get(..last.name.floor_char_boundary(NAME)).unwrap_or_default();
    let ruc = last.ruc.get().to_be_bytes();
    let mut bytes = [&query_digest(query)[..], &ruc, &[last.is_active.into()], name.as_bytes()].concat();
    bytes.extend(digest::<CHECK>(&bytes));
    URL_SAFE_NO_PAD.encode(bytes)
}

pub(super) struct Cursor {
    of: [u8; QUERY],
    position: NamePosition,
}

/// `None` if it is damaged.
pub(super) fn read(text: &str) -> Option<Cursor> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (bytes, check) = bytes.split_last_chunk()?;
    let (of, rest) = bytes.split_first_chunk()?;
    let (ruc, rest) = rest.split_first_chunk()?;
    let (is_active, name) = rest.split_first()?;
    let ruc = Ruc::try_from(u64::from_be_bytes(*ruc)).ok().filter(|_| *check == digest::<CHECK>(bytes))?;
    let position = NamePosition { is_active: *is_active == 1, name: str::from_utf8(name).ok()?.to_owned(), ruc };
    Some(Cursor { of: *of, position })
}

impl Cursor {
    /// `None` = of another query.
    pub(super) fn position(self, query: &NameQuery) -> Option<NamePosition> {
        (self.of == query_digest(query)).then_some(self.position)
    }
}

/// The digest of everything that decides the results and their order.
fn query_digest(query: &NameQuery) -> [u8; QUERY] {
    let NameQuery { words, mode, status, condition, department, limit: _, after: _ } = query;
    let mode = match mode {
        SearchMode::Words => "words",
        SearchMode::Prefix => "prefix",
        SearchMode::Contains => "contains",
    };
    let status = status.as_ref().map_or("", TaxpayerStatus::as_str);
    let condition = condition.as_ref().map_or("", DomicileCondition::as_str);
    digest([&words.join(" "), mode, status, condition, department.unwrap_or_default()].join("\n").as_bytes())
}

/// The first bytes of the SHA-256.
fn digest<const N: usize>(bytes: &[u8]) -> [u8; N] {
    Sha256::digest(bytes).first_chunk().copied().unwrap_or([0; N])
}
