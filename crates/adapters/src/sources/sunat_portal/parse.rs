//! Text to labelled values, without judging them: which page this is, whether it is whole, and what stands in it.
//!
//! One file per layout knows how a result is built; this one knows what holds for both. It refuses to know what a
//! value means.

mod current;
mod element;
mod old;

use std::collections::HashSet;

use scraper::{ElementRef, Html, Node};

use self::element::{has_class, own_text};
use super::decode::is_garbled;
use super::error::PageError;
use super::label::{Label, MANDATORY, letters, letters_of_source};

/// A complete page of a known kind.
pub(super) enum Page {
    /// One result.
    Record(RawRecord),
    /// The sentence that there is no such RUC, with the RUC it names.
    NotFound {
        /// As printed.
        ruc: String,
    },
}

/// A result's rows, each label at most once.
#[derive(Default)]
pub(super) struct RawRecord {
    rows: Vec<(Label, Value)>,
    /// Rows that have no known label.
    unknown: usize,
}

/// What stands in a row.
pub(super) enum Value {
    /// The lines of a text, split where the page breaks it (`</br>`); runs of blanks inside are kept.
    Text(Vec<String>),
    /// The entries of a list, none twice, blanks folded.
    List(Vec<String>),
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
/// The script that makes the form's token has the word in its name, on the search form and elsewhere.
const TOKEN_SCRIPT: &str = "sunatrecaptcha";
/// The title of the application's error page, in lower case.
const ERROR_TITLE: &str = "pagina de error";
/// Words that no page with a result has, in lower case.
const FOREIGN: [&str; 2] = ["requested url was rejected", ERROR_TITLE];
/// Tags beyond which no page is parsed: a page has about 700, and an HTML parser's time grows with the square of depth.
const MAX_TAGS: usize = 10_000;
/// The class of the current layout's labels.
const HEADING: &str = "list-group-item-heading";
/// The row that every page of the current layout has in a comment, letters only.
const SWITCHED_OFF: &str = "razonsocial";
/// How every page ends.
const END: &str = "</html>";
/// The known sentence, letters only, before and after the RUC.
const NOT_FOUND: (&str, &str) = ("elnumeroderuc", "consultadonoesvalidodebeverificarelnumeroyvolveraingresar");

impl RawRecord {
    /// The row's value.
    pub(super) fn value(&self, label: Label) -> Option<&Value> {
        self.rows.iter().find(|(found, _)| *found == label).map(|(_, value)| value)
    }

    fn insert(&mut self, label: Label, value: Value) -> Result<(), PageError> {
        if self.value(label).is_some() {
            return Err(PageError::Misplaced { label });
        }
        let texts = match &value {
            Value::Text(texts) | Value::List(texts) => texts,
        };
        if texts.iter().any(|text| is_garbled(text)) {
            return Err(PageError::Garbled);
        }
        if texts.iter().any(|text| text.contains("***")) {
            return Err(PageError::Masked { label });
        }
        self.rows.push((label, value));
        Ok(())
    }
}

/// What the page holds at a glance.
#[derive(Default)]
struct Survey<'a> {
    current: Vec<(Label, ElementRef<'a>)>,
    old: Vec<(Label, ElementRef<'a>)>,
    /// Labels of the copy for the printer, which only the old layout has and which does not count.
    copied: Vec<Label>,
    not_found: Vec<String>,
    garbled: bool,
}

/// Reads a page.
pub(super) fn parse(text: &str) -> Result<Page, PageError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(PageError::Empty);
    }
    let source = text.to_ascii_lowercase();
    if !source.ends_with(END) {
        return Err(refusal(&source).unwrap_or(PageError::Cut));
    }
    if source.bytes().filter(|byte| *byte == b'<').nth(MAX_TAGS).is_some() {
        return Err(PageError::TooManyTags);
    }
    let document = Html::parse_document(result_part(text));
    let survey = survey(&document);
    let has_result = |labels: &[(Label, ElementRef<'_>)]| labels.iter().any(|(label, _)| *label == Label::Ruc);
    let (is_current, is_old) = (has_result(&survey.current), has_result(&survey.old));
    if !is_current && !is_old && survey.not_found.is_empty() {
        return Err(other_page(&source, survey.garbled));
    }
    // The old layout is pasted together from several documents, of which one has a type.
    let documents = if is_old { source.matches("<!doctype").count() } else { source.matches(END).count() };
    if documents > 1 || FOREIGN.iter().any(|words| source.contains(words)) {
        return Err(PageError::Several);
    }
    match (is_current, is_old, survey.not_found.as_slice()) {
        (true, false, []) => {
            let record = current::record(&survey.current)?;
            check(&document, &survey.current, &survey.copied, record, &[Label::AccountingSystem, Label::BooksSince])
        }
        (false, true, []) => {
            let record = old::record(&survey.old)?;
            let optional = [Label::AccountingSystem, Label::BooksSince, Label::Deregistered];
            check(&document, &survey.old, &survey.copied, record, &optional)
        }
        (false, false, [ruc]) => Ok(Page::NotFound { ruc: ruc.clone() }),
        _ => Err(PageError::Several),
    }
}

/// The page up to the forms of further queries that follow the current layout's result: with the scripts behind them
/// they are half of the page, and say nothing about the taxpayer.
fn result_part(text: &str) -> &str {
    let split = || {
        let last_label = text.rfind(HEADING)?;
        let form = text.get(last_label..)?.find("<form")?;
        text.split_at_checked(last_label + form)
    };
    match split() {
        // Nothing that the survey looks for may be left out.
        Some((result, rest)) if !rest.contains("bgn") && !rest.contains("<strong") => result,
        _ => text,
    }
}

/// Finds the labels of both layouts and the known sentence. Nothing here recurses or looks below an element's own
/// text: a hostile page may be as deep as it is long.
fn survey(document: &Html) -> Survey<'_> {
    let mut survey = Survey::default();
    let mut hidden = HashSet::new();
    for node in document.root_element().descendants() {
        let Some(element) = ElementRef::wrap(node) else { continue };
        let is_copied = hidden.contains(&node.id());
        if element.value().id() == Some("print") && !is_copied {
            hidden.extend(node.descendants().map(|below| below.id()));
            continue;
        }
        let is_old = match element.value().name() {
            "h4" if has_class(element, HEADING) => false,
            "td" if has_class(element, "bgn") => true,
            "strong" => {
                survey.not_found.extend(own_text(element).as_deref().and_then(ruc_not_found));
                continue;
            }
            _ => continue,
        };
        let Some(text) = own_text(element) else { continue };
        survey.garbled |= is_garbled(&text);
        let Some(label) = Label::of(&text) else { continue };
        match (is_copied, is_old) {
            (true, _) => survey.copied.push(label),
            (false, true) => survey.old.push((label, element)),
            (false, false) => survey.current.push((label, element)),
        }
    }
    survey
}

/// The RUC that the known sentence names, if this is the sentence.
fn ruc_not_found(text: &str) -> Option<String> {
    letters(text).strip_prefix(NOT_FOUND.0)?.strip_suffix(NOT_FOUND.1).map(str::to_owned)
}

/// The firewall or captcha that speaks in this source, in lower case.
fn refusal(source: &str) -> Option<PageError> {
    let source = source.replace(TOKEN_SCRIPT, "");
    REFUSALS.into_iter().find(|mark| source.contains(mark)).map(|mark| PageError::Refused { mark })
}

/// What a whole page without a result and without the known sentence is.
fn other_page(source: &str, garbled: bool) -> PageError {
    refusal(source).unwrap_or(if source.contains(ERROR_TITLE) {
        PageError::ErrorPage
    } else if garbled {
        PageError::Garbled
    } else {
        PageError::Unknown
    })
}

/// Holds a result against what both layouts promise.
fn check(
    document: &Html,
    labels: &[(Label, ElementRef<'_>)],
    copied: &[Label],
    record: RawRecord,
    optional: &[Label],
) -> Result<Page, PageError> {
    for label in MANDATORY {
        if record.value(label).is_none() {
            return Err(PageError::Missing { label });
        }
    }
    let stands_once = |label: Label| labels.iter().filter(|(found, _)| *found == label).count() == 1;
    if let Some(&(label, _)) = labels.iter().find(|(label, _)| record.value(*label).is_none() || !stands_once(*label)) {
        return Err(PageError::Misplaced { label });
    }
    for &label in optional.iter().filter(|label| record.value(**label).is_none()) {
        // Absent, renamed, switched off or lost: only the first is a record.
        if record.unknown > 0 || copied.contains(&label) || is_commented_out(document, label) {
            return Err(PageError::Doubtful { label });
        }
    }
    Ok(Page::Record(record))
}

/// Whether a comment holds the row, or a row of an unknown name that may be it.
fn is_commented_out(document: &Html, label: Label) -> bool {
    let mut comments = document.tree.values().filter_map(Node::as_comment);
    comments.any(|comment| {
        let letters = letters_of_source(comment);
        let is_unknown_row = comment.contains(HEADING) && !letters.contains(SWITCHED_OFF);
        is_unknown_row || label.spellings().iter().any(|spelling| letters.contains(spelling))
    })
}
