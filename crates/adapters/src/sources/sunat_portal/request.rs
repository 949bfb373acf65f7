//! The form that asks the page about one RUC.

use kuraka_domain::Ruc;

/// Characters of the token that the page's own script makes: random base-36, checked for its shape only.
pub(super) const TOKEN_LENGTH: usize = 52;

const BASE_36: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// What the body of the POST is.
pub(super) const CONTENT_TYPE: &str = "application/x-www-form-urlencoded";

/// The body of the POST. `modo=1` asks for the only layout that is read.
///
/// An empty token gets the error page and then a ban; so does a request without one.
pub(super) fn form(ruc: Ruc, random: &[u8; TOKEN_LENGTH]) -> String {
    let token: String = random
        .iter()
        .filter_map(|byte| BASE_36.get(usize::from(*byte) % BASE_36.len()))
        .map(|digit| char::from(*digit))
        .collect();
    format!("accion=consPorRuc&nroRuc={ruc}&token={token}&modo=1")
}
