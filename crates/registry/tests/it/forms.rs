//! Forms that vary from file to file: order of columns, encodings, quotes, and a list that no code knows.

use kuraka_domain::DatasetRole;
use kuraka_registry::dataset::{
    Column, Dataset, DateForm, Delimiter, FieldKind, FileForm, LineEnd, Quoting, RETENCION, SANCIONES, Subjects,
    TextForm,
};
use kuraka_registry::reader::Reason;

use crate::published::company;
use crate::reading::{person, rows};
use crate::workspace::{windows_1252, zip};

/// A list that only this test knows. All that it takes is this description.
static MADE_UP: Dataset = Dataset {
    name: "emisores",
    address: "https://example.pe/Emisores_{AAAAMM}.csv",
    file_names: &["Emisores_{AAAAMM}.csv"],
    form: FileForm::Text(TextForm { delimiter: Delimiter::Sniffed, line_end: LineEnd::LfOrCr, quoting: Quoting::Csv }),
    columns: &[
        Column::ruc("Número de RUC"),
        Column::text("Denominación", "nombre").required(),
        Column::field("Fecha", "desde", FieldKind::Date(DateForm::DayMonthYear)),
        Column::field("Locales", "locales", FieldKind::Integer),
        Column::dropped("Contacto"),
    ],
    absent: &["s/d"],
    role: DatasetRole::List(None),
    history: None,
    subjects: Subjects::LegalPersons,
    ..RETENCION
};

#[test]
fn a_list_is_added_by_its_description_alone() {
    let text = format!(
        "Locales;FECHA;Contacto;NUMERO DE RUC;Denominación;Nueva\n2;01/02/2026;x;{};\"A; \"\"B\"\" Ñ\";y\n\
         s/d;s/d;x;\"{}\";C;y\n1;;x;{};D;y\n3;;x;{};;y\n",
        company(1),
        company(2),
        person(1),
        company(3)
    );
    let expected = [format!("{}|A; \"B\" Ñ|2026-02-01|2", company(1)), format!("{}|C|-|-", company(2))];
    for content in [windows_1252(&text), text.clone().into_bytes(), zip(&[("Emisores_202611.csv", text.as_bytes())])] {
        let (found, report) = rows(&MADE_UP, &content);
        assert_eq!(found, expected);
        assert_eq!((report.left_out, report.bad_lines.count(Reason::MissingValue)), (1, 1));
        assert_eq!(report.unknown_columns, ["Nueva"]);
    }
    let addresses =
        kuraka_registry::dataset::addresses(MADE_UP.address, kuraka_domain::Date::parse("2026-01-15").unwrap());
    assert_eq!(addresses[..2], ["https://example.pe/Emisores_202601.csv", "https://example.pe/Emisores_202512.csv"]);
}

#[test]
fn a_delimiter_never_shifts_values_into_another_column() {
    let header = "Ruc|Nombre/Razon|A partir del|Resolucion|";
    for line in [
        // In the resolution: the name would take the date.
        "20100119227|3M PERU S A|01/06/2002|RS|1|",
        "20100119227|3M PERU S A|01/06/2002||1|",
        "20100119227|3M PERU S A|-|RS|1|",
        // Two lines without a break.
        "20100119227|3M PERU S A|01/06/2002|RS 1|20505108672|1818 S.A.C|01/02/2006|RS 2|",
        // Too few.
        "20100119227|3M PERU S A|01/06/2002",
        "20100119227",
    ] {
        let (found, report) = rows(&RETENCION, format!("{header}\r{line}\r").as_bytes());
        assert_eq!((found.len(), report.bad_lines.total()), (0, 1), "{line}");
    }
    let header = "FECHA_CORTE|RUC|NOMBRE_RAZONODENOMINACIONSOCIAL|FECHA_INICIO|FECHA_FIN|NUMERO_RESOLUCION|\
                  ID_MOTIVO_INFRACCION|DE_MOTIVO_INFRACCION";
    for line in [
        "20260404|20100994128|CONSTRUCTORA|19980806||074-1998-TL|12|RESCISION|CONTRATO",
        "20260404|20100994128|CONSTRUCTORA|19980806|20270101|074|1998-TL|12|RESCISION",
    ] {
        let (found, report) = rows(&SANCIONES, format!("{header}\n{line}\n").as_bytes());
        assert_eq!((found.len(), report.bad_lines.total()), (0, 1), "{line}");
    }
}

#[test]
fn bad_lines_are_counted_by_reason() {
    let long = "X".repeat(70_000);
    let mut text = windows_1252(&format!(
        "Ruc|Nombre/Razon|A partir del|Resolucion|\n20100119228|A|01/06/2002|R|\n2010011922|A|01/06/2002|R|\n|A||R|\n\
         20100119227|{long}|01/06/2002|R|\n20100119227|A|R|\n20100119227|A||\n\n20100119227|PERÚ|01/06/2002|RÉ|\n",
    ));
    // Undefined bytes and UTF-8 in the dropped name do not matter; in the resolution they are taken as missing.
    for (name, resolution) in [(&b"\x81"[..], &b"R"[..]), ("Ñ".as_bytes(), b"R"), (b"A", b"\x81"), (b"A", b"A\0")] {
        text.extend_from_slice(&[b"20505108672|", name, b"|01/02/2006|", resolution, b"|\n"].concat());
    }
    let (found, report) = rows(&RETENCION, &text);
    let mut expected = vec!["20100119227|2002-06-01|RÉ"];
    expected.extend(["20505108672|2006-02-01|R", "20505108672|2006-02-01|R"]);
    expected.extend(["20505108672|2006-02-01|-", "20505108672|2006-02-01|-"]);
    assert_eq!(found, expected);
    let counts: Vec<_> = report.bad_lines.iter().collect();
    assert_eq!(counts, [(Reason::ColumnCount, 2), (Reason::BadRuc, 3), (Reason::TooLong, 1)]);
    assert_eq!(report.unread_values["resolucion"], 2);
}
