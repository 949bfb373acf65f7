//! SUNAT's registers as text: those without headings, known by their fields, and SIRE's CSV, which does not quote names
//! with a comma.

use csv::StringRecord;

use crate::columns::Positions;
use crate::content::{amount, is_whole};
use crate::heading::{Heading, words};

/// Words of a heading that only SIRE's registers have. That of purchases has its totals in soles.
pub(crate) const SIRE: [&str; 2] = ["CAR", "SUNAT"];

/// A form of a register: its first fields tell it, and each column has its place, as in [`ListColumn::ALL`](crate::ListColumn::ALL).
struct Form {
    is: fn(&[&str]) -> bool,
    columns: Positions,
    /// Further columns of IGV.
    more_igv: &'static [usize],
    currency: Currency,
}

#[derive(Clone, Copy)]
pub(crate) enum Currency {
    Soles,
    /// As the file's name says, or else the column.
    FileName,
}

const FORMS: [Form; 4] = [
    // The mass validator: ruc|tipo|serie|numero|fecha|total.
    Form {
        is: |cells| cells.len() == 6 && cells.get(1).is_some_and(|kind| kind.len() == 2),
        columns: [Some(0), Some(1), Some(2), Some(3), Some(4), Some(5), None, None, None],
        more_igv: &[],
        currency: Currency::Soles,
    },
    // PLE 8.1, of which programs write fewer than its 42 fields.
    Form {
        is: |cells| cells.len() >= 25 && is_period(cells.first()),
        columns: [Some(11), Some(5), Some(6), Some(8), Some(3), Some(23), Some(24), Some(14), None],
        more_igv: &[16, 18],
        currency: Currency::FileName,
    },
    // PLE 8.3, the simplified register, with 32 fields.
    Form {
        is: |cells| cells.len() >= 18 && is_period(cells.first()),
        columns: [Some(10), Some(5), Some(6), Some(7), Some(3), Some(16), Some(17), Some(13), None],
        more_igv: &[],
        currency: Currency::FileName,
    },
    // SIRE's register of purchases: the buyer's RUC and name, and the period.
    Form {
        is: |cells| cells.len() >= 34 && cells.get(2).is_some_and(|period| period.len() == 6 && is_whole(period)),
        columns: [Some(12), Some(6), Some(7), Some(9), Some(4), Some(24), Some(25), Some(15), None],
        more_igv: &[17, 19],
        currency: Currency::Soles,
    },
];

/// What the columns of a register without headings can be, by one of its rows: with its further columns of IGV, and its
/// currency.
pub(crate) fn columns(row: &StringRecord) -> impl Iterator<Item = (Positions, &'static [usize], Currency)> {
    let cells: Vec<&str> = row.iter().map(str::trim).collect();
    FORMS.iter().filter(move |form| (form.is)(&cells)).map(|form| (form.columns, form.more_igv, form.currency))
}

/// The headings of a register of SIRE's, in which a comma splits names.
#[derive(Debug)]
pub struct SplitNames(Vec<Heading>);

impl SplitNames {
    /// `None` = these are no headings of a register of SIRE's.
    pub fn from_names(names: &[String]) -> Option<Self> {
        let heading = |name: &String| Heading { own: words(name), ..Heading::default() };
        let headings: Vec<_> = names.iter().map(heading).collect();
        headings.iter().any(|heading| heading.own == SIRE).then_some(Self(headings))
    }

    /// Joins the names of a row. `false` = its cells may be below others' headings.
    pub fn join(&self, row: &mut StringRecord) -> bool {
        join_split_names(row, &self.0)
    }
}

/// Joins names that a comma has split in a row of SIRE's register: the buyer's ends before the period, the supplier's
/// before the first amount. Whether the cells are below their headings then, as far as period, amounts and currency tell.
pub(crate) fn join_split_names(row: &mut StringRecord, headings: &[Heading]) -> bool {
    let find = |is: &dyn Fn(&Heading) -> bool| headings.iter().position(is);
    let period = find(&|heading| heading.own == ["PERIODO"]).filter(|at| *at > 0);
    let supplier = find(&|heading| heading.has("NUMERO") && heading.has("IDENTIDAD"));
    let currency = find(&|heading| heading.own == ["MONEDA"]);
    let (Some(period), Some(supplier), Some(currency)) = (period, supplier, currency) else { return true };
    let amounts = supplier + 2..currency;
    // Of purchases or sales, without columns of one's own.
    let is_sire = find(&|heading| heading.own == SIRE).is_some()
        && headings.get(amounts.start).is_some_and(|heading| heading.has("BI VALOR"));
    let is_text = |cell: &str| cell.contains(char::is_alphabetic) && amount(cell).is_none();
    let is_right = |row: &StringRecord| {
        let cell = |at: usize| row.get(at).unwrap_or_default();
        !is_text(cell(period)) && !amounts.clone().any(|at| is_text(cell(at))) && is_text(cell(currency))
    };
    if !is_sire || is_right(row) {
        return true;
    }
    let is_period = |cell: &str| cell.len() == 6 && is_whole(cell);
    for (name, is_next) in
        [(period - 1, &is_period as &dyn Fn(&str) -> bool), (supplier + 1, &|cell| amount(cell).is_some())]
    {
        let next = row.iter().skip(name + 1).position(|cell| is_next(cell.trim())).unwrap_or(0);
        if next > 0 {
            let joined = row.iter().skip(name).take(next + 1).collect::<Vec<_>>().join(",");
            let before = row.iter().take(name);
            *row = before.chain([joined.as_str()]).chain(row.iter().skip(name + next + 1)).collect();
        }
    }
    is_right(row)
}

impl Currency {
    /// Whether the totals of a file with this name are in soles; `None` = a person must say. The name of a PLE ends with
    /// four digits, the third of which is 1 for soles and 2 for dollars.
    pub(crate) fn is_soles(self, file: &str) -> Option<bool> {
        let digit = file.get(31..32).filter(|_| file.starts_with("LE"));
        match (self, digit) {
            (Self::Soles, _) | (Self::FileName, Some("1")) => Some(true),
            (Self::FileName, None) => Some(false),
            (Self::FileName, Some(_)) => None,
        }
    }
}

/// `AAAAMM00`.
fn is_period(cell: Option<&&str>) -> bool {
    cell.is_some_and(|cell| cell.len() == 8 && is_whole(cell) && cell.ends_with("00"))
}
