//! The form that requests one RUC from the page. Pure.

use kuraka_domain::Ruc;

/// Characters of the token that the page's own script makes: random base-36 digits. The server checks only the shape.
pub(super) const TOKEN_LENGTH: usize = 52;

const BASE_36: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

pub(super) const CONTENT_TYPE: &str = "application/x-www-form-urlencoded";

/// The body of the POST. `modo=1` requests the layout that `parse` reads.
///
/// SUNAT answers a request with an empty token, or without one, with the error page, and then bans the client's
/// address.
pub(super) fn body(ruc: Ruc, random: &[u8; TOKEN_LENGTH]) -> String {
    let token: String = random
        .iter()
        .filter_map(|byte| BASE_36.get(usize::from(*byte) % BASE_36.len()))
        .map(|digit| char::from(*digit))
        .collect();
    format!("accion=consPorRuc&nroRuc={ruc}&token={token}&modo=1")
}
