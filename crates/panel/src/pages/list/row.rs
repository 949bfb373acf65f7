//! The rows of a list's table: what was read, and what is known of it.

use kuraka_api::table_row::{ficha_cells, summary_cells};
use kuraka_app::LookupError;
use kuraka_domain::{ResultCode, Ruc, TaxpayerProfile};
use kuraka_ports::Parts;

use super::item::{Item, Kind};
use crate::call::Call;
use crate::current_user::CurrentUser;
use crate::pages::sheet::glance::{Glance, Tone};

/// Lines that a row names.
const NAMED: usize = 5;
/// What a list asks of a taxpayer.
const PARTS: Parts =
    Parts::FLAGS.and(Parts::LISTS).and(Parts::OPEN_DATA).and(Parts::OPERATING_INCAPACITY).and(Parts::SANCTIONS);

/// A row, as text.
pub(super) struct Row {
    /// The first lines of the file that have the item.
    lines: String,
    /// How many lines there are.
    count: usize,
    /// What is looked up; empty if nothing is, or it was.
    pub(super) item: String,
    pub(super) title: String,
    pub(super) about: String,
    /// The taxpayer whose sheet the row links to.
    pub(super) ruc: String,
    pub(super) tone: Tone,
    pub(super) situation: String,
    /// The visible cells after the situation.
    pub(super) rest: [String; 2],
    /// What to note, for the filter.
    pub(super) problems: Vec<String>,
    /// The cells of the file that can be downloaded, after the lines.
    values: Vec<String>,
}

impl Row {
    /// A row that is not looked up yet.
    pub(super) fn pending(kind: Kind, line: u64, item: &str) -> Self {
        let situation = "Sin consultar".to_owned();
        let values = vec![item.to_owned(), String::new(), situation.clone()];
        Self { item: item.to_owned(), values, ..Self::new(kind, line.to_string(), item, Tone::Plain, situation) }
    }

    /// A row that cannot be looked up.
    pub(super) fn wrong(kind: Kind, line: u64, found: &str, reason: &str) -> Self {
        Self::failed(
            kind,
            line.to_string(),
            found,
            Tone::Warn,
            ResultCode::InvalidInput,
            reason,
            "No se puede consultar",
        )
    }

    /// A row without an answer.
    fn failed(
        kind: Kind,
        lines: String,
        item: &str,
        tone: Tone,
        code: ResultCode,
        reason: &str,
        problem: &str,
    ) -> Self {
        let values = vec![item.to_owned(), code.as_str().to_owned(), reason.to_owned()];
        let problems = vec![problem.to_owned()];
        Self { problems, values, ..Self::new(kind, lines, item, tone, reason.to_owned()) }
    }

    fn new(_kind: Kind, lines: String, item: &str, tone: Tone, situation: String) -> Self {
        Self {
            lines,
            count: 1,
            item: String::new(),
            title: item.to_owned(),
            about: String::new(),
            ruc: String::new(),
            tone,
            situation,
            rest: Default::default(),
            problems: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Another line has the same item.
    pub(super) fn add_line(&mut self, line: u64) {
        self.count += 1;
        if self.count <= NAMED {
            self.lines.push_str(&format!(", {line}"));
        }
    }

    /// `3, 17, 20, 21, 22 y 45 más`.
    pub(super) fn lines(&self) -> String {
        match self.count.saturating_sub(NAMED) {
            0 => self.lines.clone(),
            more => format!("{} y {more} más", self.lines),
        }
    }

    /// What the browser sends to look the row up, if it can be.
    pub(super) fn sent(&self) -> Option<String> {
        (!self.item.is_empty()).then(|| format!("{}\t{}", self.lines(), self.item))
    }

    /// The cells of the file, separated by tabs.
    pub(super) fn cells(&self) -> String {
        let clean = |cell: &String| cell.replace(['\t', '\n', '\r'], " ");
        let values: Vec<String> = [self.lines()].iter().chain(&self.values).map(clean).collect();
        values.join("\t")
    }
}

/// Looks the taxpayers of a batch up.
pub(super) fn taxpayers(user: &CurrentUser, call: &Call<'_>, items: &[Item]) -> Result<Vec<Row>, LookupError> {
    let batch = user.panel.lookup_taxpayer.batch(&call.grant)?;
    let statuses = user.panel.datasets.statuses();
    let rucs: Vec<Ruc> = items.iter().filter_map(|item| Ruc::parse(&item.text).ok()).collect();
    let row = |(item, found): (&Item, Result<Option<TaxpayerProfile>, LookupError>)| match found {
        Ok(Some(profile)) => known(item, &profile, &Glance::of(&profile, &*batch.snapshot, &statuses)),
        Ok(None) => unanswered(item, Tone::Warn, ResultCode::DocumentNotFound, "No existe"),
        Err(_) => unanswered(item, Tone::Unknown, ResultCode::UpstreamUnavailable, "No se pudo averiguar"),
    };
    Ok(items.iter().zip(batch.taxpayers(&rucs, PARTS)).map(row).collect())
}

fn unanswered(item: &Item, tone: Tone, code: ResultCode, word: &str) -> Row {
    Row::failed(Kind::Rucs, item.lines.clone(), &item.text, tone, code, word, word)
}

fn known(item: &Item, profile: &TaxpayerProfile, glance: &Glance) -> Row {
    let summary = &profile.summary;
    let problems = glance.problems();
    let first = [&item.text, ResultCode::Found.as_str(), &problems.join(" | ")].map(str::to_owned);
    let ficha = ficha_cells(profile);
    let values = summary_cells(summary).into_iter().chain(ficha.iter().map(|cell| &**cell)).map(str::to_owned);
    let lists = profile.lists.as_ref().map(|lists| lists.iter().map(|list| list.title).collect::<Vec<_>>().join(", "));
    let sanctions = profile.sanctions.as_ref().map(|sanctions| match sanctions.len() {
        0 => String::new(),
        1 => "1 sanción".to_owned(),
        many => format!("{many} sanciones"),
    });
    let unknown = || "No se sabe".to_owned();
    Row {
        title: summary.name.clone(),
        about: item.text.clone(),
        ruc: item.text.clone(),
        rest: [lists.unwrap_or_else(unknown), sanctions.unwrap_or_else(unknown)],
        values: first.into_iter().chain(values).collect(),
        problems,
        ..Row::new(Kind::Rucs, item.lines.clone(), &item.text, glance.tone, glance.headline.clone())
    }
}

/// Validates the vouchers of a batch.
pub(super) async fn vouchers(_user: &CurrentUser, _call: &Call<'_>, _items: &[Item]) -> Result<Vec<Row>, LookupError> {
    Ok(Vec::new())
}
