//! The rows of a list with their answers, and what they add up to.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use kuraka_domain::Date;
use kuraka_domain::text::folded;
use kuraka_tables::{ListColumn, ListRow, Reading, RucCellError, StringRecord};

use super::answer::Answer;
use super::item::{self, Kind};
use super::run::ListResults;
use crate::pages::status_summary::Severity;
use crate::spanish;

/// A row of the file, or the rows of one RUC.
pub(super) struct Row {
    pub(super) lines: Vec<u64>,
    pub(super) ruc: String,
    pub(super) title: String,
    pub(super) about: String,
    /// The path of the sheet after that of all sheets; empty = there is none.
    pub(super) sheet: String,
    pub(super) answer: Arc<Answer>,
    pub(super) sums: Sums,
    pub(super) change: Option<Change>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    /// Total and IGV in hundredths, by currency. So many amounts of a list do not overflow.
    amounts: BTreeMap<String, (i128, Option<i128>)>,
    /// Rows with an amount that cannot be read.
    unread: usize,
}

/// What is added up on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Risk {
    /// Red on the day of the row, or today.
    Red,
    /// Red in the published month of the day.
    RedMonth,
    /// To be looked at.
    Amber,
    Unknown,
}

pub(super) struct Supplier {
    pub(super) ruc: String,
    pub(super) risk: Risk,
    pub(super) name: String,
    pub(super) rows: usize,
    pub(super) sums: Sums,
}

pub(super) struct Table {
    pub(super) kind: Kind,
    pub(super) rows: Vec<Row>,
    /// The sources of the answers, and the dates of their editions.
    pub(super) sources: Vec<(String, String)>,
}

/// What became of a row since the run before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    New,
    Worse,
    Better,
}

impl Change {
    pub(super) const ALL: [Self; 3] = [Self::New, Self::Worse, Self::Better];

    /// Its name in addresses.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::New => "nuevo",
            Self::Worse => "empeoro",
            Self::Better => "mejoro",
        }
    }

    pub(super) const fn words(self, count: u64) -> &'static str {
        match (self, count) {
            (Self::New, 1) => "nuevo",
            (Self::New, _) => "nuevos",
            (Self::Worse, 1) => "empeoró",
            (Self::Worse, _) => "empeoraron",
            (Self::Better, 1) => "mejoró",
            (Self::Better, _) => "mejoraron",
        }
    }

    /// What is not known is no change, except into a warning.
    fn compare(before: Option<Severity>, now: Severity) -> Option<Self> {
        match (before.map(Severity::bucket), now) {
            (None, _) => Some(Self::New),
            (Some(Severity::Unknown), Severity::Good) | (Some(_), Severity::Unknown) => None,
            (Some(before), now) if now > before => Some(Self::Worse),
            (Some(before), now) => (now < before).then_some(Self::Better),
        }
    }
}

impl Risk {
    pub(super) const ALL: [Self; 4] = [Self::Red, Self::RedMonth, Self::Amber, Self::Unknown];
}

impl Row {
    pub(super) fn bucket(&self) -> Severity {
        self.answer.tone.bucket()
    }

    fn risk(&self) -> Option<Risk> {
        match self.bucket() {
            Severity::Bad if self.answer.is_of_month => Some(Risk::RedMonth),
            Severity::Bad => Some(Risk::Red),
            Severity::Warn => Some(Risk::Amber),
            Severity::Unknown => Some(Risk::Unknown),
            Severity::Good | Severity::Note | Severity::Plain => None,
        }
    }

    /// `3, 17, 20, 21, 22 y 45 más`.
    pub(super) fn named_lines(&self) -> String {
        let named = self.lines.iter().take(5).map(u64::to_string).collect::<Vec<_>>().join(", ");
        match self.lines.len().saturating_sub(5) {
            0 => named,
            more => format!("{named} y {more} más"),
        }
    }
}

impl Sums {
    fn add(&mut self, row: &ListRow) {
        match row.total {
            Some(total) => self.add_amount(&row.currency, total.into(), row.igv.map(Into::into)),
            None => self.unread += usize::from(!row.cell(ListColumn::Total).is_empty()),
        }
    }

    fn add_all(&mut self, other: &Self) {
        other.amounts.iter().for_each(|(currency, (total, igv))| self.add_amount(currency, *total, *igv));
        self.unread += other.unread;
    }

    fn add_amount(&mut self, currency: &str, total: i128, igv: Option<i128>) {
        let (sum, sum_igv) = self.amounts.entry(currency.to_owned()).or_default();
        *sum += total;
        *sum_igv = igv.map_or(*sum_igv, |more| Some(sum_igv.unwrap_or_default() + more));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.amounts.is_empty() && self.unread == 0
    }

    /// Currency, total and IGV; soles first.
    pub(super) fn amounts(&self) -> impl Iterator<Item = (&str, i128, Option<i128>)> {
        let amounts = || self.amounts.iter().map(|(currency, (total, igv))| (currency.as_str(), *total, *igv));
        amounts()
            .filter(|(currency, ..)| *currency == "PEN")
            .chain(amounts().filter(|(currency, ..)| *currency != "PEN"))
    }

    /// `S/ 12,430.00`, with several currencies separated.
    pub(super) fn totals(&self) -> String {
        let amounts = self.amounts().map(|(currency, total, _)| money(currency, total));
        amounts.chain(self.unread()).collect::<Vec<_>>().join("; ")
    }

    /// `S/ 12,430.00 (IGV S/ 1,896.10)`, one a currency.
    pub(super) fn in_words(&self) -> Vec<String> {
        self.amounts()
            .map(|(currency, total, igv)| {
                let igv = igv.map(|igv| format!(" (IGV {})", money(currency, igv))).unwrap_or_default();
                format!("{}{igv}", money(currency, total))
            })
            .chain(self.unread())
            .collect()
    }

    pub(super) fn unread(&self) -> Option<String> {
        match self.unread {
            0 => None,
            1 => Some("1 importe que no se pudo leer".to_owned()),
            many => Some(format!("{many} importes que no se pudieron leer")),
        }
    }
}

/// `S/ 12,430.00`, `USD 118.00`, `-S/ 20.00`.
pub(super) fn money(currency: &str, cents: i128) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let currency = if currency == "PEN" { "S/" } else { currency };
    let cents = cents.unsigned_abs();
    format!("{sign}{currency} {}.{:02}", spanish::number((cents / 100) as u64), cents % 100)
}

impl Table {
    pub(super) fn new(reading: &Reading, kind: Kind, today: Date, results: ListResults) -> Self {
        let ListResults { answers, before, sources } = results;
        let mut rows: Vec<Row> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let names = name_column(reading);
        for row in &reading.list {
            let item = item::of_row(kind, row, today).map(|(item, _)| item);
            let asked = item.as_deref().unwrap_or_default();
            let first = known.get(asked).filter(|_| kind == Kind::Rucs);
            if let Some(first) = first.and_then(|at| rows.get_mut(*at)) {
                first.lines.push(row.line);
                first.sums.add(row);
                continue;
            }
            if item.is_ok() {
                known.insert(asked.to_owned(), rows.len());
            }
            let was = before.get(asked).copied();
            let is_compared = !before.is_empty() && answers.contains_key(asked);
            let own_name = record_of(reading, row).zip(names).and_then(|(record, at)| record.get(at)).map(str::trim);
            let own_name = own_name.filter(|name| !name.is_empty());
            let mut row = row_of(kind, row, own_name, item.is_ok(), answer_of(row, &item, &answers));
            row.change = is_compared.then(|| Change::compare(was, row.bucket())).flatten();
            rows.push(row);
        }
        rows.sort_by_key(|row| Reverse(row.bucket()));
        Self { kind, rows, sources }
    }

    pub(super) fn count(&self, bucket: Severity) -> u64 {
        self.rows.iter().filter(|row| row.bucket() == bucket).map(|_| 1).sum()
    }

    pub(super) fn changes(&self, change: Change) -> u64 {
        self.rows.iter().filter(|row| row.change == Some(change)).map(|_| 1).sum()
    }

    pub(super) fn sums(&self, risk: Risk) -> Sums {
        let mut sums = Sums::default();
        self.rows.iter().filter(|row| row.risk() == Some(risk)).for_each(|row| sums.add_all(&row.sums));
        sums
    }

    /// The suppliers with red rows, apart by day and month, the largest sum in soles first.
    pub(super) fn suppliers(&self) -> Vec<Supplier> {
        let mut all: BTreeMap<(&str, bool), Supplier> = BTreeMap::new();
        for row in &self.rows {
            let Some(risk @ (Risk::Red | Risk::RedMonth)) = row.risk() else { continue };
            let new = || Supplier { ruc: row.ruc.clone(), risk, name: String::new(), rows: 0, sums: Sums::default() };
            let supplier = all.entry((&row.ruc, row.answer.is_of_month)).or_insert_with(new);
            supplier.rows += row.lines.len();
            supplier.sums.add_all(&row.sums);
            if supplier.name.is_empty() && self.kind != Kind::Vouchers && row.title != row.ruc {
                supplier.name.clone_from(&row.title);
            }
        }
        let mut suppliers: Vec<_> = all.into_values().collect();
        let soles = |supplier: &Supplier| supplier.sums.amounts.get("PEN").map_or(0, |(total, _)| -total);
        suppliers.sort_by_key(|supplier| (soles(supplier), supplier.ruc.clone()));
        suppliers
    }
}

/// The RUC, or what the row has instead.
pub(super) fn ruc_of(row: &ListRow) -> String {
    row.ruc.as_ref().map_or_else(|_| row.cell(ListColumn::Ruc).to_owned(), ToString::to_string)
}

/// The cells of a row in the file.
pub(super) fn record_of<'a>(reading: &'a Reading, row: &ListRow) -> Option<&'a StringRecord> {
    let at = reading.rows.binary_search_by_key(&row.line, |(line, _)| *line).ok()?;
    reading.rows.get(at).map(|(_, record)| record)
}

/// What is known of a row, or why nothing is. A person with a DNI needs no RUC.
fn answer_of(row: &ListRow, item: &Result<String, String>, answers: &HashMap<String, Arc<Answer>>) -> Arc<Answer> {
    let known = item.as_ref().ok().and_then(|item| answers.get(item));
    Arc::new(match (item, known) {
        (_, Some(answer)) if row.dni().is_some() && answer.is_absent() => {
            let situation = "No tiene RUC".to_owned();
            Answer { tone: Severity::Unknown, situation, ..Answer::clone(answer) }
        }
        (_, Some(answer)) => return Arc::clone(answer),
        (Ok(_), None) => Answer::none(Severity::Unknown, "Sin consultar"),
        (Err(reason), None) => {
            let is_wrong = row.ruc.is_err_and(RucCellError::is_wrong_ruc);
            Answer::none(if is_wrong { Severity::Bad } else { Severity::Unknown }, reason)
        }
    })
}

/// The column of the suppliers' names, after that of their RUCs.
fn name_column(reading: &Reading) -> Option<usize> {
    let ruc = reading.column(ListColumn::Ruc)?;
    let is_name = |name: &str| ["RAZON SOCIAL", "NOMBRE", "DENOMINACION"].iter().any(|word| name.contains(word));
    (ruc + 1..reading.names.len()).find(|at| reading.names.get(*at).is_some_and(|name| is_name(&folded(name))))
}

fn row_of(kind: Kind, row: &ListRow, own_name: Option<&str>, is_item: bool, answer: Arc<Answer>) -> Row {
    let ruc = ruc_of(row);
    let mut sums = Sums::default();
    sums.add(row);
    let day = row.cell(ListColumn::Date);
    let people_day = spanish::with_days(day);
    let voucher = [row.cell(ListColumn::Series), row.cell(ListColumn::Number)].join("-");
    let voucher = if voucher == "-" { String::new() } else { voucher };
    let name = Some(answer.name.as_str()).filter(|name| !name.is_empty());
    let (title, about) = match (kind, name.or(own_name)) {
        (Kind::Vouchers, _) => (voucher, [&*ruc, &people_day].join(" · ")),
        (Kind::Days, name) => {
            let parts = [&*ruc, &people_day, &voucher].into_iter().filter(|part| !part.is_empty());
            (name.unwrap_or(&ruc).to_owned(), parts.collect::<Vec<_>>().join(" · "))
        }
        (Kind::Rucs, Some(name)) => (name.to_owned(), ruc.clone()),
        (Kind::Rucs, None) => (ruc.clone(), String::new()),
    };
    let sheet = match (&row.ruc, kind) {
        (Err(_), _) => String::new(),
        (Ok(ruc), Kind::Days) if is_item && !answer.is_beside_day() => format!("{ruc}?fecha={day}"),
        (Ok(ruc), _) => ruc.to_string(),
    };
    Row { lines: vec![row.line], ruc, title, about, sheet, answer, sums, change: None }
}
