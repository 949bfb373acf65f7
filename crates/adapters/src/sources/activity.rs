//! Economic activities, in the lines of SUNAT's page, which providers copy.

use kuraka_domain::{ActivityRank, EconomicActivity};
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ActivityError {
    #[error("an activity is not \"rank - code - description\"")]
    Form,
    #[error("an activity holds another one: the answer is damaged")]
    Joined,
    /// The principal activity is missing, or numbers are out of order.
    #[error("the activities are not numbered from the principal one without a gap: the answer is damaged")]
    Numbering,
}

/// Reads `Principal - 8411 - DESCRIPTION`, `Secundaria 1 - 5320 - DESCRIPTION`, or `CIIU 52322 - DESCRIPTION`, the line
/// at this place of the list. The description may be missing; a line without a rank has the rank of its place.
pub(super) fn activity(place: usize, line: &str) -> Result<EconomicActivity, ActivityError> {
    let (first, rest) = split_dash(line);
    let word = first.to_lowercase();
    let rank = match word.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ') {
        "principal" => Some(ActivityRank::Principal),
        "secundaria" => Some(ActivityRank::Secondary),
        _ => None,
    };
    let (code, description) = if rank.is_some() { split_dash(rest) } else { (first, rest) };
    let ciiu = code.strip_prefix("CIIU ").unwrap_or(code);
    let is_code = (3..=6).contains(&ciiu.len()) && ciiu.bytes().all(|byte| byte.is_ascii_digit());
    if !is_code {
        return Err(ActivityError::Form);
    }
    if is_activity(description) {
        return Err(ActivityError::Joined);
    }
    let of_place = if place == 0 { ActivityRank::Principal } else { ActivityRank::Secondary };
    Ok(EconomicActivity { rank: rank.unwrap_or(of_place), ciiu: ciiu.to_owned(), description: description.to_owned() })
}

/// Checks a line's rank: the page's list begins with the principal activity, and numbers the others without a gap.
pub(super) fn check_number(place: usize, line: &str) -> Result<(), ActivityError> {
    let word = split_dash(line).0.to_lowercase();
    let is_in_order = match word.strip_prefix("secundaria").map(str::trim) {
        Some(number) => place > 0 && (number.is_empty() || number.parse() == Ok(place)),
        None => place == 0 || !word.starts_with("principal"),
    };
    if is_in_order { Ok(()) } else { Err(ActivityError::Numbering) }
}

/// Whether a text holds the start of an activity.
pub(super) fn is_activity(text: &str) -> bool {
    ["Principal", "Secundaria"].into_iter().any(|rank| {
        text.match_indices(rank).any(|(at, rank)| {
            let rest = text.get(at + rank.len()..).unwrap_or_default();
            let rest = rest.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
            rest.strip_prefix("- ").is_some_and(|code| code.starts_with(|c: char| c.is_ascii_digit()))
        })
    })
}

/// The texts around the first dash.
fn split_dash(text: &str) -> (&str, &str) {
    text.split_once(" - ").unwrap_or((text.trim_end_matches(" -"), ""))
}
