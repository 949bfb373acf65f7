//! The note beside a part: which address it comes from, and which version of the file it is a part of.
//! Pure; lines of `name: value`, in this order and nothing else.

use super::Validators;

/// What is known about a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Note {
    /// The address it was fetched from.
    pub(super) url: String,
    /// The version of the file.
    pub(super) validators: Validators,
}

impl Note {
    /// The note as text.
    pub(super) fn write(&self) -> String {
        let line = |name, value: &Option<String>| value.as_ref().map(|value| format!("{name}: {value}\n"));
        [
            Some(format!("url: {}\n", self.url)),
            line("etag", &self.validators.etag),
            line("last-modified", &self.validators.last_modified),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Reads a note; `None` if it is not whole.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut note = Self { url: String::new(), validators: Validators::default() };
        for line in text.strip_suffix('\n')?.lines() {
            let (name, value) = line.split_once(": ")?;
            match name {
                "url" => value.clone_into(&mut note.url),
                "etag" => note.validators.etag = Some(value.to_owned()),
                "last-modified" => note.validators.last_modified = Some(value.to_owned()),
                _ => return None,
            }
        }
        (!note.url.is_empty()).then_some(note)
    }

    /// What a request for the rest must carry as `If-Range`; `None` if nothing says which version this is.
    pub(super) fn if_range(&self) -> Option<&str> {
        // A weak tag promises the same meaning, not the same bytes.
        let strong = self.validators.etag.as_deref().filter(|etag| etag.starts_with('"'));
        strong.or(self.validators.last_modified.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(etag: Option<&str>, last_modified: Option<&str>) -> Note {
        let validators = Validators { etag: etag.map(str::to_owned), last_modified: last_modified.map(str::to_owned) };
        Note { url: "http://127.0.0.1/padron.zip".to_owned(), validators }
    }

    #[test]
    fn what_is_written_is_read() {
        for note in [note(None, None), note(Some("\"a: b\""), None), note(Some("W/\"a\""), Some("Thu, 20 Aug"))] {
            assert_eq!(Note::read(&note.write()), Some(note));
        }
    }

    #[test]
    fn a_note_that_is_not_whole_is_none() {
        let whole = note(Some("\"a\""), None).write();
        for length in 0..whole.len() {
            let cut = &whole[..length];
            assert!(Note::read(cut).is_none_or(|read| read == note(None, None)), "{cut:?}");
        }
        assert_eq!(Note::read("url: x\nsize: 5\n"), None);
    }

    #[test]
    fn only_what_vouches_for_every_byte_allows_to_go_on() {
        assert_eq!(note(Some("\"a\""), Some("date")).if_range(), Some("\"a\""));
        assert_eq!(note(Some("W/\"a\""), Some("date")).if_range(), Some("date"));
        assert_eq!(note(Some("W/\"a\""), None).if_range(), None);
        assert_eq!(note(None, None).if_range(), None);
    }
}
