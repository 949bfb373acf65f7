//! A list with its results as a file for people: a summary, the owner's own columns with the results beside them, and the
//! sources.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io;

use jiff::Timestamp;
use kuraka_api::table_row::{NOT_AVAILABLE, heading};
use kuraka_app::{ListItem, RegistryBatch, calendar};
use kuraka_ports::{DatasetStatus, KeptList, ProfileParts};
use kuraka_tables::{
    ListColumn, ListRow, Reading, Shade, TableCell, TableForm, TableSheet, write_people_csv, write_workbook,
};

use super::answer::{UNKNOWN, of_taxpayers};
use super::item::Kind;
use super::kept::title;
use super::run::{self, ListResults};
use super::table::{self, Change, Risk, Row, Sums, Table};
use crate::pages::status_summary::Severity;
use crate::panel::is_demo;
use crate::spanish;

pub(super) fn write(
    form: TableForm,
    about: Vec<(&'static str, String)>,
    reading: &Reading,
    table: &Table,
) -> Result<Vec<u8>, io::Error> {
    let rows = rows(reading, table);
    match form {
        TableForm::Csv => write_people_csv(rows),
        TableForm::Xlsx => write_workbook(vec![summary(about, table), rows, sources(&table.sources)]),
    }
}

/// Looks up the taxpayers of a file with this name, as they are or on the days of their rows, and writes the workbook.
///
/// # Errors
/// None in practice: it writes to memory.
pub fn list_workbook(
    (name, reading, has_days): (&str, &Reading, bool),
    batch: &RegistryBatch,
    statuses: &[DatasetStatus],
    now: Timestamp,
) -> Result<Vec<u8>, io::Error> {
    let (kind, today) = (if has_days { Kind::Days } else { Kind::Rucs }, calendar::today(now));
    let asked = run::items(reading, kind, today);
    let found: Vec<ListItem> = asked.iter().filter_map(|(_, subject)| subject.taxpayer()).collect();
    let found = batch.answers(&found, ProfileParts::TABLE);
    let answers = of_taxpayers(batch, (statuses, today), kind, &asked, found, |_, _| None).into_iter().flatten();
    let answers = answers.map(|(answer, _)| (answer.item.clone(), answer.into())).collect();
    let results = ListResults { answers, sources: run::sources_of(kind, statuses), ..ListResults::default() };
    let values = [name.to_owned(), spanish::moment(now), kind.title().to_owned()];
    let about = ["Lista", "Consultada", "Qué se consultó"].into_iter().zip(values).chain(demo(statuses)).collect();
    write(TableForm::Xlsx, about, reading, &Table::new(reading, kind, today, results))
}

fn text(text: impl Into<String>) -> TableCell {
    TableCell::Text(text.into())
}

const fn bucket_words(bucket: Severity) -> (&'static str, Shade) {
    match bucket {
        Severity::Bad => ("Rojo", Shade::Red),
        Severity::Warn => ("Por mirar", Shade::Amber),
        Severity::Unknown => ("Sin dato", Shade::Grey),
        Severity::Good | Severity::Note | Severity::Plain => ("Conforme", Shade::Green),
    }
}

const fn risk_words(risk: Risk) -> (&'static str, Shade) {
    match risk {
        Risk::Red => ("En riesgo", Shade::Red),
        Risk::RedMonth => ("En riesgo según el mes publicado", Shade::Red),
        Risk::Amber => ("Por mirar, aparte", Shade::Amber),
        Risk::Unknown => ("Sin dato, aparte", Shade::Grey),
    }
}

/// What the summary says of a kept list.
pub(super) fn about(kind: Kind, list: &KeptList, statuses: &[DatasetStatus]) -> Vec<(&'static str, String)> {
    let (ran, cost) = (spanish::moment(list.ran), spanish::queries(list.charged));
    let values = [title(list), list.note.clone(), ran, kind.title().to_owned(), cost];
    ["Lista", "Nota", "Consultada", "Qué se consultó", "Costó"].into_iter().zip(values).chain(demo(statuses)).collect()
}

fn demo(statuses: &[DatasetStatus]) -> Option<(&'static str, String)> {
    is_demo(statuses).then(|| ("Datos de demostración", "No sirven como prueba.".to_owned()))
}

fn summary(about: Vec<(&'static str, String)>, table: &Table) -> TableSheet<'static> {
    let plain = |cells| (Shade::Plain, cells);
    let mut rows: Vec<_> = about.into_iter().map(|(label, value)| plain(vec![text(label), text(value)])).collect();
    for bucket in Severity::BUCKETS {
        let (word, shade) = bucket_words(bucket);
        rows.push((shade, vec![text(word), TableCell::Number(table.count(bucket) as f64)]));
    }
    let amounts = |what: &str, ruc: TableCell, name: &str, sums: &Sums| -> Vec<Vec<TableCell>> {
        let amounts = sums.amounts().map(|(currency, total, igv)| {
            let igv = igv.map_or_else(|| text(""), TableCell::Amount);
            vec![text(what), text(currency), TableCell::Amount(total), igv, ruc.clone(), text(name)]
        });
        let unread = sums.unread().map(|unread| vec![text(what), text(unread)]);
        amounts.chain(unread).collect()
    };
    for change in Change::ALL.into_iter().filter(|_| table.rows.iter().any(|row| row.change.is_some())) {
        let count = table.changes(change);
        let words = format!("Desde la consulta anterior, {}", change.words(count));
        rows.push(plain(vec![text(words), TableCell::Number(count as f64)]));
    }
    for risk in Risk::ALL {
        let (what, shade) = risk_words(risk);
        rows.extend(amounts(what, text(""), "", &table.sums(risk)).into_iter().map(|cells| (shade, cells)));
    }
    for supplier in table.suppliers() {
        let what = format!("{}, proveedor", risk_words(supplier.risk).0);
        let ruc = TableCell::of_text(&supplier.ruc);
        rows.extend(amounts(&what, ruc, &supplier.name, &supplier.sums).into_iter().map(plain));
    }
    rows.push(plain(vec![text("No es asesoría tributaria.")]));
    let headings = ["Resumen", "Valor o moneda", "Total", "IGV", "RUC", "Proveedor"].map(str::to_owned).to_vec();
    TableSheet { name: "Resumen", headings, plain_columns: 0, rows: Box::new(rows.into_iter()), has_filter: false }
}

fn rows<'a>(reading: &'a Reading, table: &'a Table) -> TableSheet<'a> {
    let kind = table.kind;
    let width = reading.width();
    let own = (0..width).map(|at| {
        reading.names.get(at).filter(|name| !name.is_empty()).cloned().unwrap_or_else(|| format!("Columna {}", at + 1))
    });
    let known = ["Fila".to_owned()].into_iter().chain(own);
    let has_today = table.rows.iter().any(|row| !row.answer.today.is_empty());
    let today_head = has_today.then_some("Hoy");
    let results = ["Resultado", "Situación", "Observaciones"].into_iter().chain(today_head).map(str::to_owned);
    let name = (kind != Kind::Vouchers).then(|| "Nombre".to_owned());
    let more = kind.columns().into_iter().skip(2 + usize::from(name.is_some()));
    let has_several = reading.list.array_windows().any(|[one, next]| one.line == next.line);
    let several = has_several.then(|| "RUC consultado".to_owned());
    let headings: Vec<String> =
        known.chain(several).chain(results).chain(name.clone()).chain(more.map(heading)).collect();
    let known: HashMap<(u64, &str), &Row> =
        table.rows.iter().flat_map(|row| row.lines.iter().map(move |line| ((*line, &*row.ruc), row))).collect();
    let known = |row: &'a ListRow| Some((*known.get(&(row.line, &*table::ruc_of(row)))?, row));
    let mut order: Vec<(&Row, &ListRow)> = reading.list.iter().filter_map(known).collect();
    order.sort_by_key(|(known, _)| Reverse(known.bucket()));
    let is_of = |column, at| reading.column(column) == Some(at);
    let has_name = name.is_some();
    let lists = kind.columns().iter().skip(2).position(|column| *column == "padrones");
    let cells = move |(known, row): (&'a Row, &'a ListRow)| {
        let (record, answer) = (table::record_of(reading, row), &*known.answer);
        let (word, shade) = bucket_words(known.bucket());
        let mut cells = vec![TableCell::Number(row.line as f64)];
        cells.extend((0..width).map(|at| {
            let cell = record.and_then(|record| record.get(at)).unwrap_or_default();
            match at {
                at if is_of(ListColumn::Ruc, at) => TableCell::of_ruc(cell),
                at if is_of(ListColumn::Total, at) => TableCell::of_amount(cell),
                _ => TableCell::of_text(cell),
            }
        }));
        if has_several {
            cells.push(TableCell::of_ruc(&known.ruc));
        }
        cells.extend([text(word), text(answer.situation.as_str())]);
        if !answer.code.is_empty() {
            // The page has the lists in words, the cells have the names of datasets.
            let in_words = |(at, cell): (usize, &'a String)| match &**cell {
                _ if lists == Some(at) => &*answer.rest[0],
                NOT_AVAILABLE => UNKNOWN,
                cell => cell,
            };
            let mut found = answer.cells.iter().enumerate().map(|cell| TableCell::of_text(in_words(cell)));
            cells.push(text(answer.problems.join(" | ")));
            cells.extend(has_today.then(|| text(answer.today.as_str())));
            if has_name {
                cells.push(text(answer.name.as_str()));
                found.next();
            }
            cells.extend(found);
        }
        (shade, cells)
    };
    let rows = Box::new(order.into_iter().map(cells));
    let name = if kind == Kind::Vouchers { "Comprobantes" } else { "Proveedores" };
    TableSheet { name, headings, plain_columns: width + 1 + usize::from(has_several), rows, has_filter: true }
}

fn sources(known: &[(String, String)]) -> TableSheet<'static> {
    let plain = |cells| (Shade::Plain, cells);
    let row = |(title, date): &(String, String)| plain(vec![text(title.as_str()), TableCell::of_text(date)]);
    let mut rows: Vec<_> = known.iter().map(row).collect();
    rows.push(plain(vec![text("Servicio independiente; no pertenece a la SUNAT. No es asesoría tributaria.")]));
    let headings = vec!["Fuente".to_owned(), "Edición".to_owned()];
    TableSheet { name: "Fuentes", headings, plain_columns: 0, rows: Box::new(rows.into_iter()), has_filter: false }
}
