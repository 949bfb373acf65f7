//! A list with its results as a file: the owner's own columns in their order, and the results beside them.

use kuraka_domain::Date;
use kuraka_ports::KeptList;
use kuraka_tables::{Reading, TableForm, TableWriter, WriteTableError};

use super::item::{self, Kind};
use super::run::answers;

pub(super) fn write(
    form: TableForm,
    kind: Kind,
    today: Date,
    _list: &KeptList,
    reading: &Reading,
    results: &[Vec<u8>],
) -> Result<Vec<u8>, WriteTableError> {
    let (answers, _) = answers(results);
    let width = reading.rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
    let own: Vec<String> = (0..width)
        .map(|at| {
            reading
                .names
                .get(at)
                .filter(|name| !name.is_empty())
                .cloned()
                .unwrap_or_else(|| format!("columna {}", at + 1))
        })
        .collect();
    let columns = kind.columns();
    let mut table = TableWriter::new(form, own.iter().map(String::as_str).chain(columns.iter().copied()))?;
    for row in &reading.list.rows {
        let record = reading.rows.binary_search_by_key(&row.line, |(line, _)| *line).ok();
        let record = record.and_then(|at| reading.rows.get(at)).map(|(_, record)| record);
        let own = (0..width).map(|at| record.and_then(|record| record.get(at)).unwrap_or_default());
        let item = item::of_row(kind, row, today);
        let answer = item.as_ref().ok().and_then(|item| answers.get(item));
        let cells = match (&item, answer) {
            (_, Some(answer)) => {
                [answer.code.clone(), answer.problems.join(" | ")].into_iter().chain(answer.cells.clone()).collect()
            }
            (Ok(_), None) => vec![String::new(), "Sin consultar".to_owned()],
            (Err((_, reason)), None) => vec!["invalid_input".to_owned(), reason.clone()],
        };
        table.row(own.chain(cells.iter().map(String::as_str)))?;
    }
    table.finish()
}
