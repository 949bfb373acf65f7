//! The names of change lists: `000012-<from>..<to>.kuraka-changes`, with the publication's number.

use crate::label::is_label;

/// Publications' numbers are smaller, so that they fit into a history.
pub(crate) const MAX_NUMBER: u64 = 1 << 30;
const EXTENSION: &str = ".kuraka-changes";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileName {
    pub(super) number: u64,
    pub(super) from: String,
    pub(super) to: String,
}

impl FileName {
    /// `None` if it is no list's name.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (number, labels) = text.strip_suffix(EXTENSION)?.split_once('-')?;
        let (from, to) = labels.split_once("..")?;
        let is_number = number.len() >= 6 && number.bytes().all(|byte| byte.is_ascii_digit());
        (is_number && is_label(from) && is_label(to)).then_some(())?;
        let number = number.parse().ok().filter(|number| *number < MAX_NUMBER)?;
        // A number with more zeros would be another name of the same list.
        Some(Self { number, from: from.to_owned(), to: to.to_owned() }).filter(|name| name.text() == text)
    }

    pub(super) fn text(&self) -> String {
        let Self { number, from, to } = self;
        format!("{number:06}-{from}..{to}{EXTENSION}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_back_and_others_are_no_lists() {
        let [from, to] = ["2026-11-20-0a1b2c3d", "2026-11-21-ffffffff"].map(str::to_owned);
        for number in [1, 999_999, 12_345_678] {
            let name = FileName { number, from: from.clone(), to: to.clone() };
            assert_eq!(FileName::parse(&name.text()), Some(name));
        }
        let good = FileName { number: 7, from, to }.text();
        assert_eq!(good, "000007-2026-11-20-0a1b2c3d..2026-11-21-ffffffff.kuraka-changes");
        for bad in [
            &good[1..],
            &good[..good.len() - 1],
            &format!("{good}.tmp"),
            &good.replace("..", "/../"),
            &format!("0{good}"),
            "",
        ] {
            assert_eq!(FileName::parse(bad), None, "{bad}");
        }
    }
}
