//! Why items of a list have no answer, for one log line.

use std::fmt::Display;

#[derive(Debug, Default)]
pub struct Causes {
    first: Option<String>,
    count: usize,
}

impl Causes {
    pub fn add(&mut self, cause: impl Display) {
        self.first.get_or_insert_with(|| cause.to_string());
        self.count += 1;
    }

    /// `None` = every item has an answer.
    #[must_use]
    pub fn in_words(self) -> Option<String> {
        self.first.map(|first| format!("{} of the list, the first one: {first}", self.count))
    }
}
