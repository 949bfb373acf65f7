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

/// Reads `Principal - 8411 - DESCRIPTION`, `Secundaria 1 - 5320 - DESCRIPTION`, or `CIIU 52322 - DESCRIPTION`. The
/// description may be missing; a line without a rank has the rank of its place. The page's list begins with the principal
/// activity, and numbers the others without a gap.
pub(super) fn activities(lines: &[String], are_numbered: bool) -> Result<Vec<EconomicActivity>, ActivityError> {
    lines.iter().enumerate().map(|(place, line)| activity(place, line, are_numbered)).collect()
}

fn activity(place: usize, line: &str, is_numbered: bool) -> Result<EconomicActivity, ActivityError> {
    let (first, rest) = split_dash(line);
    let word = first.to_lowercase();
    let word_alone = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let number = word.strip_prefix(word_alone).unwrap_or_default().trim();
    let (rank, is_in_order) = match word_alone {
        "principal" => (Some(ActivityRank::Principal), place == 0),
        "secundaria" => {
            let is_in_order = place > 0 && (number.is_empty() || number.parse() == Ok(place));
            (Some(ActivityRank::Secondary), is_in_order)
        }
        _ => (None, true),
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
    if is_numbered && !is_in_order {
        return Err(ActivityError::Numbering);
    }
    let of_place = if place == 0 { ActivityRank::Principal } else { ActivityRank::Secondary };
    Ok(EconomicActivity { rank: rank.unwrap_or(of_place), ciiu: ciiu.to_owned(), description: description.to_owned() })
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
