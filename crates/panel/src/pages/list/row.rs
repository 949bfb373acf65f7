//! The rows of a list's table: what was read, and what is known of it.

use std::borrow::Cow;
use std::cmp::Reverse;

use kuraka_api::spanish::{not_covered, rejected_voucher};
use kuraka_api::table_row::voucher_cells;
use kuraka_app::{Causes, ChargedCall, HistoryError, ListAnswer, ListItem, LookupError, drained};
use kuraka_domain::{
    DomicileCondition, ListedTaxpayer, OnDay, ResultCode, TaxpayerProfile, TaxpayerStatus, VoucherStatus,
    VoucherValidation,
};
use kuraka_ports::{DatasetStatus, ProfileParts, SourceErrorKind, chain};

use super::item::{Item, Kind, Subject};
use crate::current_user::CurrentUser;
use crate::pages::status_summary::{self, Severity, StatusSummary};

/// Lines that a row names.
const NAMED: usize = 5;
/// Rows that are made before other calls get their turn.
const ROWS_AT_ONCE: usize = 64;

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
    /// The path of the sheet that the row links to, after that of all sheets.
    pub(super) sheet: String,
    pub(super) tone: Severity,
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
        let mut row = Self::new(kind, line.to_string(), item, Severity::Plain, situation.clone());
        row.values.extend([String::new(), situation]);
        Self { item: item.to_owned(), ..row }
    }

    /// A row that cannot be looked up.
    pub(super) fn wrong(kind: Kind, line: u64, found: &str, reason: &str) -> Self {
        let result = (Severity::Warn, ResultCode::InvalidInput);
        Self::failed(kind, line.to_string(), found, result, reason, "No se puede consultar")
    }

    /// A row without an answer.
    fn failed(
        kind: Kind,
        lines: String,
        item: &str,
        (tone, code): (Severity, ResultCode),
        reason: &str,
        problem: &str,
    ) -> Self {
        let row = Self::new(kind, lines, item, tone, reason.to_owned());
        row.ended(code, reason.to_owned(), vec![problem.to_owned()], [])
    }

    fn new(kind: Kind, lines: String, item: &str, tone: Severity, situation: String) -> Self {
        let values = kind.cells(item);
        let (title, about) = match (kind, values.as_slice()) {
            (Kind::Vouchers, [ruc, _, series, number, day, total]) => {
                (format!("{series}-{number}"), [&**ruc, day, total].join(" · "))
            }
            (Kind::Days, [ruc, day]) => (ruc.clone(), day.clone()),
            (Kind::Vouchers | Kind::Days | Kind::Rucs, _) => (item.to_owned(), String::new()),
        };
        Self {
            lines,
            count: 1,
            item: String::new(),
            title,
            about,
            sheet: String::new(),
            tone,
            situation,
            rest: Default::default(),
            problems: Vec::new(),
            values,
        }
    }

    fn found(self, problems: Vec<String>, cells: impl IntoIterator<Item = String>) -> Self {
        let note = problems.join(" | ");
        self.ended(ResultCode::Found, note, problems, cells)
    }

    fn ended(
        mut self,
        code: ResultCode,
        note: String,
        problems: Vec<String>,
        cells: impl IntoIterator<Item = String>,
    ) -> Self {
        self.values.extend([code.as_str().to_owned(), note].into_iter().chain(cells));
        Self { problems, ..self }
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

/// Looks up the taxpayers of a batch, as they are or as they were on their days.
pub(super) async fn taxpayers(
    user: &CurrentUser,
    call: &ChargedCall,
    kind: Kind,
    items: &[Item],
) -> Result<(Vec<Row>, Causes), LookupError> {
    let batch = user.panel.lookup_taxpayer.batch(call)?;
    let statuses = user.panel.datasets.statuses();
    let asked: Vec<ListItem> = asked(items).copied().collect();
    batch.check(&asked)?;
    let mut causes = Causes::default();
    let mut row = |(item, answer): (&Item, ListAnswer)| {
        let failed = |tone, code, reason: &str, problem| {
            Row::failed(kind, item.lines.clone(), &item.text, (tone, code), reason, problem)
        };
        match answer {
            Ok(Some(taxpayer)) => {
                let values = kind.taxpayer_columns().cells(&taxpayer).into_iter().map(Cow::into_owned);
                match &taxpayer {
                    ListedTaxpayer::Now(profile) => {
                        now(item, profile, &StatusSummary::new(profile, &*batch.snapshot, &statuses), values)
                    }
                    ListedTaxpayer::OnDay(day) => on_day(item, day, &statuses, values),
                }
            }
            Ok(None) => failed(Severity::Warn, ResultCode::DocumentNotFound, "No existe", "No existe"),
            Err(HistoryError::NotCovered { date, periods }) => {
                let code = if date.is_ok() { ResultCode::DateNotCovered } else { ResultCode::InvalidInput };
                failed(Severity::Unknown, code, &not_covered(date.ok(), &periods), "Fecha sin registro")
            }
            Err(error) => unknown(kind, item, &mut causes, chain(&error)),
        }
    };
    let answers = batch.answers_of_call(&asked, ProfileParts::TABLE).await;
    let mut rows = Vec::with_capacity(items.len());
    for answered in items.iter().zip(answers) {
        rows.push(row(answered));
        if rows.len().is_multiple_of(ROWS_AT_ONCE) {
            tokio::task::yield_now().await;
        }
    }
    Ok((rows, causes))
}

/// The taxpayers of a batch.
fn asked(items: &[Item]) -> impl Iterator<Item = &ListItem> {
    items.iter().filter_map(|item| if let Subject::Taxpayer(asked) = &item.subject { Some(asked) } else { None })
}

/// Items about a day that the history does not cover, which cost nothing.
pub(super) fn free(user: &CurrentUser, items: &[Item]) -> usize {
    let mut dated = asked(items).filter_map(|(ruc, date)| Some((*ruc, date.as_ref()?))).peekable();
    let covered = dated.peek().and_then(|(ruc, _)| user.panel.lookup_history.covered(*ruc));
    covered.map_or(0, |days| dated.filter(|(_, date)| days.is_free(date)).count())
}

fn on_day(item: &Item, on_day: &OnDay, statuses: &[DatasetStatus], values: impl Iterator<Item = String>) -> Row {
    let ruc = item.text.split('|').next().unwrap_or_default();
    let about = format!("{ruc} · {}", on_day.date);
    let sheet = format!("{ruc}?fecha={}", on_day.date);
    let new = |tone, situation| Row::new(Kind::Days, item.lines.clone(), &item.text, tone, situation);
    let Some(known) = &on_day.taxpayer else {
        let word = "No estaba en el padrón";
        return Row { about, sheet, title: ruc.to_owned(), ..new(Severity::Warn, word.to_owned()) }
            .found(vec![word.to_owned()], values);
    };
    let (status, condition) = (&known.summary.status, &known.summary.condition);
    let capacity = match known.without_capacity {
        Some(true) => ("SIN CAPACIDAD OPERATIVA", Severity::Bad),
        Some(false) => ("", Severity::Plain),
        None => ("No se sabe", Severity::Plain),
    };
    let mut weighed = vec![
        (condition.as_str(), status_summary::condition_tone(condition)),
        (status.as_str(), status_summary::status_tone(status)),
    ];
    weighed.extend(Some(capacity).filter(|(_, tone)| *tone == Severity::Bad));
    weighed.sort_by_key(|(_, tone)| Reverse(*tone));
    let problems =
        weighed.iter().filter(|(_, tone)| *tone != Severity::Good).map(|(text, _)| (*text).to_owned()).collect();
    let tone = weighed.first().map_or(Severity::Unknown, |(_, tone)| *tone);
    let situation = weighed.iter().map(|(text, _)| *text).collect::<Vec<_>>().join(" · ");
    let titles = known.lists.iter().filter_map(|list| statuses.iter().find(|known| known.name == *list));
    let lists = titles.map(|list| list.title).collect::<Vec<_>>().join(", ");
    let row = Row {
        title: known.summary.name.clone(),
        about,
        sheet,
        rest: [lists, capacity.0.to_owned()],
        ..new(tone, situation)
    };
    row.found(problems, values)
}

/// Validates the vouchers of a batch.
pub(super) async fn vouchers(user: &CurrentUser, call: &ChargedCall, items: &[Item]) -> (Vec<Row>, Causes) {
    let voucher = |item: &Item| if let Subject::Voucher(voucher) = item.subject { Some(voucher) } else { None };
    let (asked, stop) = (items.iter().filter_map(voucher), drained(user.panel.drain_ends.clone()));
    let answers = user.panel.validate_voucher.run_all(call, asked, stop).await;
    let mut causes = Causes::default();
    let row = |item: &Item| match voucher(item).and_then(|voucher| answers.get(&voucher)) {
        Some(Ok(answer)) => validated(item, &answer.validation),
        Some(Err(error)) if error.kind == SourceErrorKind::Rejected => {
            let reason = rejected_voucher(error.reason.as_deref());
            let result = (Severity::Warn, ResultCode::InvalidInput);
            Row::failed(Kind::Vouchers, item.lines.clone(), &item.text, result, &reason, "No es válido, según la SUNAT")
        }
        Some(Err(error)) => unknown(Kind::Vouchers, item, &mut causes, chain(error)),
        None => unknown(Kind::Vouchers, item, &mut causes, "no answer within the time of the list".to_owned()),
    };
    (items.iter().map(row).collect(), causes)
}

fn unknown(kind: Kind, item: &Item, causes: &mut Causes, cause: String) -> Row {
    causes.add(cause);
    let (result, word) = ((Severity::Unknown, ResultCode::UpstreamUnavailable), "No se pudo averiguar");
    Row::failed(kind, item.lines.clone(), &item.text, result, word, word)
}

fn now(
    item: &Item,
    profile: &TaxpayerProfile,
    status_summary: &StatusSummary,
    values: impl Iterator<Item = String>,
) -> Row {
    let summary = &profile.summary;
    let lists = profile.lists.as_ref().map(|lists| lists.iter().map(|list| list.title).collect::<Vec<_>>().join(", "));
    let sanctions = profile.sanctions.as_ref().map(|sanctions| match sanctions.len() {
        0 => String::new(),
        1 => "1 sanción".to_owned(),
        many => format!("{many} sanciones"),
    });
    let unknown = || "No se sabe".to_owned();
    let row = Row {
        title: summary.name.clone(),
        about: item.text.clone(),
        sheet: item.text.clone(),
        rest: [lists.unwrap_or_else(unknown), sanctions.unwrap_or_else(unknown)],
        ..Row::new(Kind::Rucs, item.lines.clone(), &item.text, status_summary.tone, status_summary.headline.clone())
    };
    row.found(status_summary.problems(), values)
}

fn validated(item: &Item, validation: &VoucherValidation) -> Row {
    let (status, tone) = (validation.status.text(), voucher_tone(&validation.status));
    let status = if status.is_empty() { "Estado desconocido" } else { status };
    let issuer = validation.issuer_status.as_ref().map(|status| status.text());
    let domicile = validation.issuer_condition.as_ref().map(|condition| condition.text());
    let of_issuer = [
        issuer.map(|text| (text, status_summary::status_tone(&TaxpayerStatus::from_text(text)))),
        domicile.map(|text| (text, status_summary::condition_tone(&DomicileCondition::from_text(text)))),
    ];
    let of_issuer: Vec<_> = of_issuer.into_iter().flatten().filter(|(text, _)| !text.is_empty()).collect();
    let noted =
        [(status, tone)].into_iter().chain(of_issuer.iter().copied()).filter(|(_, tone)| *tone != Severity::Good);
    let problems = noted.map(|(text, _)| text.to_owned()).collect();
    let texts = of_issuer.iter().map(|(text, _)| *text).collect::<Vec<_>>().join(" · ");
    let tone = of_issuer.iter().fold(tone, |worst, (_, tone)| worst.max(*tone));
    let row = Row {
        rest: [texts, validation.observations.join(" ")],
        ..Row::new(Kind::Vouchers, item.lines.clone(), &item.text, tone, status.to_owned())
    };
    row.found(problems, voucher_cells(validation).into_iter().map(Cow::into_owned))
}

/// A voucher that its issuer has not reported may still be reported.
fn voucher_tone(status: &VoucherStatus) -> Severity {
    if matches!(status, VoucherStatus::Accepted | VoucherStatus::Authorised) {
        Severity::Good
    } else if matches!(status, VoucherStatus::Annulled | VoucherStatus::NotAuthorised) {
        Severity::Bad
    } else {
        Severity::Warn
    }
}
