//! Economic activities, in the line that providers copy from the official page.

use kuraka_domain::{ActivityRank, EconomicActivity};

use crate::sources::provider_api::error::UnreadableAnswerError;

/// Reads `Principal - 4711 - DESCRIPTION`, `Secundaria 1 - 4530 - DESCRIPTION`, or `4711 - DESCRIPTION`. Without ranks,
/// the first is the principal one.
pub(super) fn activity(index: usize, line: &str) -> Result<EconomicActivity, UnreadableAnswerError> {
    let (first, rest) = line.split_once(" - ").ok_or(UnreadableAnswerError::Activity)?;
    let (rank, ciiu, description) = match rank_of(first) {
        Some(rank) => {
            let (ciiu, description) = rest.split_once(" - ").ok_or(UnreadableAnswerError::Activity)?;
            (rank, ciiu, description)
        }
        None if index == 0 => (ActivityRank::Principal, first, rest),
        None => (ActivityRank::Secondary, first, rest),
    };
    let is_code = matches!(ciiu.len(), 4 | 5) && ciiu.bytes().all(|byte| byte.is_ascii_digit());
    if !is_code || description.is_empty() {
        return Err(UnreadableAnswerError::Activity);
    }
    Ok(EconomicActivity { rank, ciiu: ciiu.to_owned(), description: description.to_owned() })
}

/// Secondary activities are numbered.
fn rank_of(word: &str) -> Option<ActivityRank> {
    let word = word.to_lowercase();
    match word.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ') {
        "principal" => Some(ActivityRank::Principal),
        "secundaria" => Some(ActivityRank::Secondary),
        _ => None,
    }
}
