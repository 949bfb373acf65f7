//! The form that requests one RUC. Pure.

use kuraka_domain::Ruc;

/// The page's own script makes a token of random base-36 digits; only the shape is checked.
pub(super) const TOKEN_LENGTH: usize = 52;

const BASE_36: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

pub(super) const CONTENT_TYPE: &str = "application/x-www-form-urlencoded";

/// The body of the POST. `modo=1` requests the layout that `parse` reads. Without a token SUNAT sends the error page,
/// then bans the address.
pub(super) fn body(ruc: Ruc, random: &[u8; TOKEN_LENGTH]) -> String {
    let token: String = random
        .iter()
        .filter_map(|byte| BASE_36.get(usize::from(*byte) % BASE_36.len()))
        .map(|digit| char::from(*digit))
        .collect();
    format!("accion=consPorRuc&nroRuc={ruc}&token={token}&modo=1")
}
