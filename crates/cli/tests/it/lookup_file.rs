//! `kuraka lookup --file`: every row of a file keeps its cells, and gets the taxpayer of its RUC or the reason why not.

use std::io::{BufRead, BufReader};

use kuraka_generators::workbook::{Cell, Epoch, workbook};
use kuraka_sandbox::sample;
use serde_json::Value;

use super::lookup::of_two_days;
use super::program::{Finished, Home};

const ADDED: &str = "resultado,mensaje,nombre_o_razon_social,estado,condicion,direccion,departamento,\
    es_agente_de_retencion,es_buen_contribuyente";
/// The added cells of the sample's company.
const COMPANY: &str =
    "found,,3M PERU S A,ACTIVO,HABIDO,AV. ENRIQUE CANAVAL Y MOREYRA NRO. 641 URB. EL PALOMAR,LIMA,SI,NO";

fn home() -> Home {
    let home = Home::new();
    home.import(sample::PADRON);
    home
}

/// The lines of the output for a file with these bytes.
fn lines(home: &Home, bytes: impl AsRef<[u8]>, arguments: &[&str]) -> Vec<String> {
    let file = home.write("companies.csv", bytes);
    let out = home.run(&[&["lookup", "--file", &file], arguments].concat()).succeeded();
    out.lines().map(str::to_owned).collect()
}

#[test]
fn every_row_keeps_its_cells_and_gets_the_taxpayer() {
    let file = format!("id,ruc,\"no, ta\"\n1,{},\"a \"\"b\"\"\"\n-2,{},=x\n", sample::COMPANY, sample::ABSENT);
    let expected = [
        format!("id,ruc,\"no, ta\",{ADDED}"),
        format!("1,{},\"a \"\"b\"\"\",{COMPANY}", sample::COMPANY),
        format!("-2,{},=x,document_not_found,El RUC no existe.,,,,,,,", sample::ABSENT),
    ];
    assert_eq!(lines(&home(), &file, &["--column", "ruc", "--output", "csv"]), expected);
}

#[test]
fn a_row_without_a_valid_ruc_says_why_and_where() {
    let file = format!(
        "nota;RUC\n\"dos\nlíneas\";2.01001E+10\n;\n;12345678\n;{}\n;{}.0\n;{};x\n",
        sample::BAD_CHECK_DIGIT,
        sample::COMPANY,
        sample::COMPANY
    );
    let lines = lines(&home(), file, &[]);
    let ends: Vec<_> = lines.iter().filter_map(|line| line.split_once("invalid_input;")).map(|(_, end)| end).collect();
    let reasons = [
        "Línea 2: La hoja de cálculo acortó el número y se perdieron cifras: dé formato de texto a la columna y escriba el \
         RUC otra vez.",
        "Línea 4: Falta el RUC.",
        "Línea 5: El RUC es incorrecto: debe tener 11 dígitos y tiene 8 caracteres.",
        "Línea 6: El RUC es incorrecto: el dígito verificador no corresponde; revise si hay un dígito errado.",
        "Línea 8: El archivo tiene 2 columnas, y después de ellas hay: x.",
    ];
    for (end, reason) in ends.iter().zip(reasons) {
        let quoted = reason.contains(';').then(|| format!("\"{reason}\""));
        assert_eq!(*end, format!("{};;;;;;;", quoted.as_deref().unwrap_or(reason)));
    }
    assert_eq!(ends.len(), reasons.len(), "{lines:?}");
    assert!(lines.contains(&format!(";{}.0;{}", sample::COMPANY, COMPANY.replace(',', ";"))), "{lines:?}");
}

#[test]
fn a_name_that_the_file_has_gets_a_number_and_ndjson_an_object_for_each_row() {
    let file = format!("estado,estado_2,ruc,ruc\nA,\"=\"\"1\"\"\n\",{},C\n,,x,\n", sample::COMPANY);
    let home = home();
    let csv = lines(&home, &file, &[]);
    assert!(csv[0].starts_with("estado,estado_2,ruc,ruc,resultado,mensaje,nombre_o_razon_social,estado_3,"), "{csv:?}");
    let rows = lines(&home, &file, &["--output", "ndjson"]);
    let rows: Vec<Value> = rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!(
        ["estado", "estado_2", "estado_3", "ruc_2"].map(|name| &rows[0][name]),
        ["A", "=\"1\"\n", "ACTIVO", "C"]
    );
    assert_eq!(["resultado", "estado_3"].map(|name| &rows[1][name]), ["invalid_input", ""]);
    assert_eq!([rows[0].as_object().unwrap().len(), rows.len()], [13, 2]);
}

#[test]
fn the_ficha_adds_what_the_other_datasets_say() {
    let home = home();
    let rows = lines(&home, format!("{}\n", sample::ON_BOTH_LISTS), &["--ficha", "--output", "ndjson"]);
    let row: Value = serde_json::from_str(&rows[0]).unwrap();
    let cells = ["ruc", "padrones", "sin_capacidad_operativa", "actividad_principal"].map(|name| &row[name]);
    assert_eq!(cells, [sample::ON_BOTH_LISTS, "retencion | buenos_contribuyentes", "NO DISPONIBLE", "NO DISPONIBLE"]);
    let one = home.run(&["lookup", sample::ON_BOTH_LISTS, "--ficha"]).succeeded();
    assert!(
        one.lines().any(|line| line.split_whitespace().eq(["padrones", "retencion", "|", "buenos_contribuyentes"])),
        "{one}"
    );
}

#[test]
fn standard_input_and_a_file_without_names_are_read() {
    let input = format!("A,{}\nB,{}\n", sample::COMPANY, sample::COMPANY);
    let out = home().run_with(&["lookup", "--file", "-"], &[], &input).succeeded();
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[..2], [format!("columna_1,ruc,{ADDED}"), format!("A,{},{COMPANY}", sample::COMPANY)]);
    assert!(out.ends_with("\r\n") && lines.len() == 3);
}

#[test]
fn a_workbook_becomes_csv() {
    let text = |text: &str| Cell::Text(text.to_owned());
    let rows = [vec![text("nota"), text("RUC")], vec![Cell::Empty, Cell::Number(sample::COMPANY.parse().unwrap())]];
    let lines = lines(&home(), workbook("Hoja1", Epoch::Windows, &rows).unwrap(), &[]);
    assert_eq!(lines, [format!("nota,RUC,{ADDED}"), format!(",{},{COMPANY}", sample::COMPANY)]);
}

#[test]
fn many_rows_stay_in_order() {
    let rucs = [sample::COMPANY, sample::ABSENT, "x"];
    let file: String = (0..30_000).map(|at| format!("{at};{}\n", rucs[at % 3])).collect();
    let lines = lines(&home(), format!("id;ruc\n{file}"), &[]);
    assert_eq!(lines.len(), 30_001);
    for (at, line) in lines[1..].iter().enumerate() {
        let code = ["found", "document_not_found", "invalid_input"][at % 3];
        assert!(line.starts_with(&format!("{at};{};{code};", rucs[at % 3])), "{line}");
    }
}

#[test]
fn an_old_edition_does_not_prove_that_a_ruc_does_not_exist() {
    let home = Home::new().with("KURAKA__DATASETS__ENABLED", "padron");
    home.import_of("2020-01-01", "padron", sample::PADRON);
    let lines = lines(&home, format!("ruc\n{}\n{}\n", sample::COMPANY, sample::ABSENT), &[]);
    assert!(lines[1].contains(",found,"), "{lines:?}");
    assert!(lines[2].contains(",upstream_unavailable,\"El padrón de este servicio tiene "), "{lines:?}");
    let line = home.run(&["lookup", sample::ABSENT]).failed();
    assert!(line.contains("too old to say that a RUC does not exist: 20999999990"), "{line}");
}

#[test]
fn a_closed_pipe_is_an_error_because_rows_are_missing() {
    let home = home();
    let file = home.write("companies.csv", format!("ruc\n{}", format!("{}\n", sample::COMPANY).repeat(100_000)));
    let mut command = home.command(&["lookup", "--file", &file]);
    let mut child = command.spawn().unwrap();
    let mut first = String::new();
    BufReader::with_capacity(100, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("ruc,resultado,"));
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    assert!(String::from_utf8_lossy(&done.stderr).contains("closed before every row was written"), "{done:?}");
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let home = home();
    let lookup = |bytes: &[u8], more: &[&str]| -> Finished {
        let file = home.write("companies.csv", bytes);
        home.run(&[&["lookup", "--file", &file], more].concat())
    };
    assert_eq!(lookup(b"", &[]).failed(), "the file is empty");
    assert_eq!(lookup(b"a,b\n1,2\n", &[]).failed(), "no column has RUCs; name it ruc in the first row");
    let line = lookup(b"a,b\n1,2\n", &["--column", "c"]).failed();
    assert_eq!(line, "the file has no column \"c\"; its first row is \"a\", \"b\"");
    assert_eq!(lookup(b"\xff\xfer\0u\0c\0", &[]).failed(), "the text is UTF-16; save it as CSV UTF-8");
    assert!(home.run(&["lookup", "--file", "none.csv"]).failed().starts_with("none.csv: No such file"));
    let long = lookup(&[b"ruc\n\"", &vec![b'x'; 2 << 20][..]].concat(), &[]).failed();
    assert_eq!(long, "line 2: the row is too long; a quote is not closed");
    for wrong in
        [&["lookup"][..], &["lookup", sample::COMPANY, "--file", "a"], &["lookup", sample::COMPANY, "--column", "a"]]
    {
        assert_eq!(home.run(wrong).code, Some(2), "{wrong:?}");
    }
}

#[test]
fn a_date_column_asks_for_the_taxpayers_on_these_days() {
    let home = of_two_days();
    let ruc = sample::DESCRIBED;
    let file = format!("día;RUC\n30/10/2026;{ruc}\n2026-10-31 00:00;{ruc}\n23/10/2026;{ruc}\n;{ruc}\n31/10/2026;x\n");
    let lines = lines(&home, file, &["--date-column", "día"]);
    assert!(lines[0].ends_with(";existe;edicion;padrones;sin_capacidad_operativa"), "{}", lines[0]);
    for (line, [code, part]) in lines[1..].iter().zip([
        ["found", ";NO HABIDO;"],
        ["found", ";HABIDO;"],
        ["date_not_covered", ";Línea 4: El historial no cubre el 2026-10-23. Cubre del 2026-10-24 al "],
        ["invalid_input", ";Línea 5: La fecha debe ser un día con la forma AAAA-MM-DD. Cubre "],
        ["invalid_input", ";Línea 6: El RUC es incorrecto"],
    ]) {
        assert!(line.split(';').nth(2) == Some(code) && line.contains(part), "{part}: {line}");
        assert_eq!(line.matches(';').count(), lines[0].matches(';').count(), "{line}");
    }
    assert_eq!(home.run(&["lookup", "--file", "x.csv", "--date-column", "día", "--ficha"]).code, Some(2));
}

#[test]
fn a_name_that_a_comma_splits_in_a_register_of_sire_is_joined() {
    let heads = "RUC,Apellidos y Nombres o Razón social,Periodo,CAR SUNAT,Tipo Doc Identidad,Nro Doc Identidad,\
        Apellidos Nombres/ Razón  Social,BI Gravado DG,IGV / IPM DG,Total CP,Moneda";
    let row = |own: &str, kind: &str, name: &str, total: &str| {
        format!("{},{own},202609,27,{kind},{},{name},85.17,15.33,{total},PEN\n", sample::ABSENT, sample::COMPANY)
    };
    let file = row("COMPRADORA, SAC", "6", "PEREZ, JUAN", "100.50")
        + &row("COMPRADORA", "6", "PROVEEDORA", "1,100.50")
        + &row("COMPRADORA, SAC", "4", "SMITH, JOHN", "100.50");
    let lines = lines(&home(), format!("{heads}\n{file}"), &[]);
    assert!(
        lines[1].contains("\"COMPRADORA, SAC\",202609") && lines[1].contains("\"PEREZ, JUAN\",85.17"),
        "{}",
        lines[1]
    );
    assert!(lines[1].ends_with(COMPANY) && lines[2].contains(",invalid_input,Línea 3: "), "{lines:?}");
    // The kind of the document is read below its own heading.
    let message = ",invalid_input,\"Línea 4: Según su tipo de documento, no es un RUC: no se consultó.\",";
    assert!(lines[3].contains("\"SMITH, JOHN\",85.17") && lines[3].contains(message), "{}", lines[3]);
}
