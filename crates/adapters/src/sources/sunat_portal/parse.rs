//! Extracts labelled values from the page's bytes: decodes them, identifies the page, and checks that it is complete.
//! Pure. Only the page for a form with `modo=1` is read.

mod decode;
mod element;
mod rows;

use scraper::{ElementRef, Html, Node};

use self::decode::{decode, is_garbled};
use self::element::{HEADING, has_class, own_text};
pub(super) use self::rows::RawRecord;
use super::error::{AnswerError, UnreadablePageError};
use super::label::{Label, OPTIONAL, letters, letters_of_source};

pub(super) enum Page {
    /// A page with one result.
    Record(RawRecord),
    /// The sentence that there is no such RUC.
    NotFound {
        /// As printed on the page.
        ruc: String,
    },
}

/// Words of a firewall or a captcha, in lower case.
const REFUSALS: [&str; 6] = [
    "request rejected",
    "requested url was rejected",
    "acceso denegado",
    "access denied",
    "codigo ingresado es incorrecto",
    "captcha",
];
/// The script that makes the form's token has "captcha" in its name.
const TOKEN_SCRIPT: &str = "sunatrecaptcha";
/// The title of the application's error page, in lower case.
const ERROR_TITLE: &str = "pagina de error";
/// Words that no page with a result has, in lower case.
const FOREIGN: [&str; 2] = ["requested url was rejected", ERROR_TITLE];
/// A page has about 700 tags, and an HTML parser's time grows with the square of depth.
const MAX_TAGS: usize = 10_000;
/// The row that every page has in a comment, letters only.
const SWITCHED_OFF: &str = "razonsocial";
const END: &str = "</html>";
/// The known sentence around the RUC, letters only.
const NOT_FOUND: (&str, &str) = ("elnumeroderuc", "consultadonoesvalidodebeverificarelnumeroyvolveraingresar");

#[derive(Default)]
struct PageScan<'a> {
    labels: Vec<(Label, ElementRef<'a>)>,
    not_found: Vec<String>,
    garbled: bool,
}

/// Reads the body of an answer with status 200.
pub(super) fn parse(body: &[u8], content_type: Option<&str>) -> Result<Page, AnswerError> {
    let text = decode(body, content_type)?;
    let text = text.trim();
    if text.is_empty() {
        return Err(UnreadablePageError::Empty.into());
    }
    let source = text.to_ascii_lowercase();
    if !source.ends_with(END) {
        return Err(refusal(&source).unwrap_or(UnreadablePageError::Cut.into()));
    }
    if source.bytes().filter(|byte| *byte == b'<').nth(MAX_TAGS).is_some() {
        return Err(UnreadablePageError::TooManyTags.into());
    }
    let document = Html::parse_document(result_part(text));
    let survey = survey(&document);
    let has_result = survey.labels.iter().any(|(label, _)| *label == Label::Ruc);
    if !has_result && survey.not_found.is_empty() {
        return Err(other_page(&source, survey.garbled));
    }
    if source.matches(END).count() > 1 || FOREIGN.iter().any(|words| source.contains(words)) {
        return Err(UnreadablePageError::Several.into());
    }
    match (has_result, survey.not_found.as_slice()) {
        (true, []) => {
            let record = rows::record(&survey.labels)?;
            check(&document, &survey.labels, &record)?;
            Ok(Page::Record(record))
        }
        (false, [ruc]) => Ok(Page::NotFound { ruc: ruc.clone() }),
        _ => Err(UnreadablePageError::Several.into()),
    }
}

/// The page without the forms after the result, which are half of it.
fn result_part(text: &str) -> &str {
    let split = || {
        let last_label = text.rfind(HEADING)?;
        let form = text.get(last_label..)?.find("<form")?;
        text.split_at_checked(last_label + form)
    };
    match split() {
        // `survey` must see every heading and every `<strong>`.
        Some((result, rest)) if !rest.contains("<strong") => result,
        _ => text,
    }
}

/// Finds the labels and the known sentence. Does not recurse and reads only an element's own text, because a hostile
/// page may be as deep as it is long.
fn survey(document: &Html) -> PageScan<'_> {
    let mut survey = PageScan::default();
    for node in document.root_element().descendants() {
        let Some(element) = ElementRef::wrap(node) else { continue };
        match element.value().name() {
            "strong" => survey.not_found.extend(own_text(element).as_deref().and_then(ruc_not_found)),
            "h4" if has_class(element, HEADING) => {
                let Some(text) = own_text(element) else { continue };
                survey.garbled |= is_garbled(&text);
                survey.labels.extend(Label::from_text(&text).map(|label| (label, element)));
            }
            _ => {}
        }
    }
    survey
}

fn ruc_not_found(text: &str) -> Option<String> {
    letters(text).strip_prefix(NOT_FOUND.0)?.strip_suffix(NOT_FOUND.1).map(str::to_owned)
}

/// A firewall's or captcha's words in this lower-case source.
fn refusal(source: &str) -> Option<AnswerError> {
    let source = source.replace(TOKEN_SCRIPT, "");
    REFUSALS.into_iter().find(|mark| source.contains(mark)).map(AnswerError::Refused)
}

/// The error for a complete page without a result or the known sentence.
fn other_page(source: &str, garbled: bool) -> AnswerError {
    let other = if source.contains(ERROR_TITLE) {
        UnreadablePageError::ErrorPage
    } else if garbled {
        UnreadablePageError::Garbled
    } else {
        UnreadablePageError::Unknown
    };
    refusal(source).unwrap_or(other.into())
}

fn check(document: &Html, labels: &[(Label, ElementRef<'_>)], record: &RawRecord) -> Result<(), UnreadablePageError> {
    if let Some(label) = Label::mandatory().find(|label| record.value(*label).is_none()) {
        return Err(UnreadablePageError::Missing(label));
    }
    let stands_once = |label: Label| labels.iter().filter(|(found, _)| *found == label).count() == 1;
    if let Some(&(label, _)) = labels.iter().find(|(label, _)| record.value(*label).is_none() || !stands_once(*label)) {
        return Err(UnreadablePageError::Misplaced(label));
    }
    for label in OPTIONAL.into_iter().filter(|label| record.value(*label).is_none()) {
        // A missing row may be absent, renamed, commented out or lost; only the first is allowed.
        if record.unknown > 0 || is_commented_out(document, label) {
            return Err(UnreadablePageError::Doubtful(label));
        }
    }
    Ok(())
}

/// Whether a comment holds the row, or an unknown one that may be it.
fn is_commented_out(document: &Html, label: Label) -> bool {
    let mut comments = document.tree.values().filter_map(Node::as_comment);
    comments.any(|comment| {
        let letters = letters_of_source(comment);
        let is_unknown_row = comment.contains(HEADING) && !letters.contains(SWITCHED_OFF);
        is_unknown_row || label.spellings().any(|spelling| letters.contains(spelling))
    })
}
