//! Personal data of dropped columns is in no row, no report, no rejects file and no error.

use kuraka_registry::dataset::{DATOS_ABIERTOS, RETENCION, SANCIONES, SSCO};

use crate::dataset_files::{Cell, parts, person, rows, try_read, workbook};
use crate::workspace::company;

const CANARY: &str = "CANARIO";

/// Everything that the reader hands on about this file.
fn all_output(dataset: &'static kuraka_registry::dataset::Dataset, content: &[u8]) -> String {
    let (rows, report) = rows(dataset, content);
    format!("{rows:?}\n{report:?}\n{}", report.bad_lines.rejects_file().unwrap_or_default())
}

fn assert_clean(output: &str) {
    assert!(!output.contains(CANARY), "{output}");
    assert!(!output.contains("81234567"), "{output}");
    for n in 0..20 {
        assert!(!output.contains(&person(n).to_string()), "{output}");
    }
}

#[test]
fn representatives_in_a_workbook_are_not_handed_on() {
    let header = SSCO.columns.iter().map(|column| Cell::Shared(column.header)).collect();
    let row = |ruc: f64, day| {
        let (document, name) = (Cell::Number(81_234_567.0), Cell::Shared("CANARIO INVENTADO JUAN"));
        let (company, place) = (Cell::Shared("CANARIO S.A.C."), Cell::Inline("JR. CANARIO 1"));
        vec![Cell::Number(ruc), company, place, Cell::Inline("R1"), day, Cell::None, document, name, Cell::None]
    };
    let sheet = [
        header,
        row(20_600_000_013.0, Cell::Day(45_850.0)),
        row(20_600_000_014.0, Cell::Day(45_850.0)),
        row(20_600_000_013.0, Cell::Inline("CANARIO")),
        // A shifted row: the representative's name and document stand in kept columns.
        vec![Cell::Inline("CANARIO JUAN"), Cell::None, Cell::None, Cell::Inline("81234567")],
    ];
    let output = all_output(&SSCO, &workbook(&parts(&sheet)));
    assert!(output.contains("20600000013|R1"), "{output}");
    assert_clean(&output);
}

#[test]
fn names_in_texts_are_not_handed_on() {
    let list = format!(
        "Ruc|Nombre/Razon|A partir del|Resolucion|\r{0}|CANARIO JUAN|01/06/2002|R|\r{0}|CANARIO|R|\r\
         {1}|CANARIO|CANARIO|CANARIO|R|\rCANARIO|CANARIO|01/06/2002|R|\r8123456{2}|X|01/06/2002|R|\r",
        company(1),
        company(2),
        7
    );
    let (found, report) = rows(&RETENCION, list.as_bytes());
    assert_eq!(found, [format!("{}|2002-06-01|R", company(1))]);
    assert_eq!(report.bad_lines.total(), 4);
    assert_clean(&all_output(&RETENCION, list.as_bytes()));

    let header = "FECHA_CORTE|RUC|NOMBRE_RAZONODENOMINACIONSOCIAL|FECHA_INICIO|FECHA_FIN|NUMERO_RESOLUCION|\
                  ID_MOTIVO_INFRACCION|DE_MOTIVO_INFRACCION";
    let sanctions = format!(
        "{header}\n20260404|{}|CANARIO|CANARIO|||||\n20260404|81234567|CANARIO|20250101||1|2|M\n\
         20260404|{}|CANARIO|20250101||1|2|M\n",
        person(1),
        company(1)
    );
    let output = all_output(&SANCIONES, sanctions.as_bytes());
    assert!(output.contains("10******"), "a person's RUC is masked: {output}");
    assert_clean(&output);
}

#[test]
fn natural_persons_of_the_open_data_are_not_handed_on() {
    let header: Vec<_> = DATOS_ABIERTOS.columns.iter().map(|column| column.header).collect();
    let line = |ruc: &str, count: usize| format!("{ruc}{}\n", ",CANARIO".repeat(count - 1));
    let mut text = header.join(",") + "\n";
    for n in 0..10 {
        text += &line(&person(n).to_string(), 16);
        text += &line(&person(n).to_string(), 3);
        text += &line(&format!("\"{}\"", person(n)), 16);
        text += &line(&format!(" {}", person(n)), 16);
    }
    text += &line("20", 16);
    let (found, report) = rows(&DATOS_ABIERTOS, text.as_bytes());
    assert_eq!((found.len(), report.left_out, report.bad_lines.total()), (0, 40, 1));
    assert_clean(&all_output(&DATOS_ABIERTOS, text.as_bytes()));
}

#[test]
fn errors_do_not_quote_rows() {
    let rows_only = format!("{}|CANARIO JUAN|01/06/2002|R|\r", person(1));
    let error = try_read(&RETENCION, rows_only.as_bytes()).unwrap_err();
    let text = format!("{error} {:?} {}", error, error.problem);
    assert!(text.contains("Ruc"), "the missing column is named: {text}");
    assert_clean(&text);
}
