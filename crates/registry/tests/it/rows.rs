//! Rows of real files of the padrón, answered exactly.

use kuraka_domain::{Ruc, TaxpayerSummary, ubigeo::DEPARTMENTS};
use kuraka_registry::dataset::{PADRON, RETENCION};
use proptest::prelude::*;

use crate::published::{answers, company};
use crate::workspace::{Workspace, fixture, line, padron, ruc, windows_1252, zip};

/// The eight fields, in the contract's order.
type Fields = [String; 8];

fn fields(row: &TaxpayerSummary) -> Fields {
    let flag = |set: Option<bool>| set.map_or("", |set| if set { "SI" } else { "NO" }).to_owned();
    [
        row.ruc.to_string(),
        row.name.clone(),
        row.status.to_string(),
        row.condition.to_string(),
        row.address.clone(),
        row.department().to_owned(),
        flag(row.withholding_agent),
        flag(row.good_taxpayer),
    ]
}

/// The fields expected of a line, composed column by column in the order of the printed address.
fn expected(line: &str) -> Fields {
    let columns: Vec<&str> = line.split('|').collect();
    let extra = columns.len() - 16;
    let column = |index: usize| {
        let folded = columns[index + extra].split(|c: char| c.is_control() || c == ' ' || c == '\u{a0}');
        let folded = folded.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        if ["-", "----"].contains(&folded.as_str()) { String::new() } else { folded }
    };
    let whole = |text: String| {
        let known = [
            ("BAJA PROV. POR OFICI", "BAJA PROV. POR OFICIO"),
            ("BAJA MULT.INSCR. Y O", "BAJA MULT.INSCR. Y OTROS"),
            ("NUM. INTERNO IDENTIF", "NUM. INTERNO IDENTIF."),
            ("INHABILITADO-VENT.UN", "INHABILITADO-VENT.UNICA"),
            ("ANULACION - ERROR SU", "ANULACION - ERROR SUNAT"),
            ("NO HALLADO SE MUDO D", "NO HALLADO SE MUDO DE DOMICILIO"),
            ("NO HALLADO NO EXISTE", "NO HALLADO NO EXISTE DOMICILIO"),
            ("NO HALLADO NRO.PUERT", "NO HALLADO NRO.PUERTA NO EXISTE"),
            ("NO HALLADO DESTINATA", "NO HALLADO DESTINATARIO DESCONOCIDO"),
            ("NO HALLADO OTROS MOT", "NO HALLADO OTROS MOTIVOS"),
        ];
        known.iter().find(|(cut, _)| *cut == text).map_or(text, |(_, whole)| (*whole).to_owned())
    };
    let mut address = Vec::new();
    for (index, prefix) in [
        (5, ""),
        (6, ""),
        (9, "NRO. "),
        (10, "INT. "),
        (12, "DPTO. "),
        (13, "MZA. "),
        (11, "LOTE. "),
        (14, "KM. "),
        (7, ""),
        (8, ""),
    ] {
        if !column(index).is_empty() {
            address.push(format!("{prefix}{}", column(index)));
        }
    }
    let department = column(4).get(..2).map_or("", |code| DEPARTMENTS[code.parse::<usize>().unwrap() - 1]);
    let name = columns[1..=1 + extra].join("|");
    let name = name.split(|c: char| c.is_control() || c == ' ').filter(|word| !word.is_empty());
    [
        columns[0].to_owned(),
        name.collect::<Vec<_>>().join(" "),
        whole(column(2)),
        whole(column(3)),
        address.join(" "),
        department.to_owned(),
        String::new(),
        String::new(),
    ]
}

fn lines(file: &[u8]) -> Vec<String> {
    let text = encoding_rs::WINDOWS_1252.decode_without_bom_handling(file).0.into_owned();
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn every_real_row_is_answered_exactly() {
    for name in ["companies_2018_real_latin1.txt", "rows_2026_latin1.txt"] {
        let workspace = Workspace::new();
        let file = fixture(name);
        let report = workspace.import(&PADRON, &file);
        assert_eq!(report.rejected_lines(), 0, "{name}");
        let edition = workspace.edition(&PADRON);
        let lines = lines(&file);
        assert_eq!(edition.meta().rows, lines.len() as u64);
        for line in &lines {
            let row = edition.summary(ruc(&line[..11])).unwrap().unwrap();
            assert_eq!(fields(&row), expected(line));
        }
    }
}

#[test]
fn known_quirks_are_repaired_and_a_cut_line_refused() {
    let workspace = Workspace::new();
    let report = workspace.import(&PADRON, &fixture("quirks_synthetic_cp1252.txt"));
    assert_eq!((report.rows, report.left_out, report.rejected_lines()), (11, 1, 1));
    let edition = workspace.edition(&PADRON);
    for line in lines(&fixture("quirks_synthetic_cp1252.txt")) {
        if line.starts_with("00|") || line.starts_with("20600000064") {
            continue;
        }
        let row = edition.summary(ruc(&line[..11])).unwrap().unwrap();
        assert_eq!(fields(&row), expected(&line));
    }
    let of = |text: &str| edition.summary(ruc(text)).unwrap().unwrap();
    assert_eq!(of("20600000013").name, "COMERCIAL A|B S.A.C.");
    assert_eq!(of("20256136865").name, "SERVICIOS POSTALES DEL PERU SOCIEDAD ANONIMA \"SERPOST S.A.\"");
    assert_eq!(of("20600000081").name, "AGRO INDUSTRIAL – NORTE “EL SOL” E.I.R.L.");
    assert_eq!(of("20600000048").name, "EMPRESA CON TAB S.A.");
    assert_eq!(of("20600000048").address, "LAS BEGONIAS NRO. 475 INT. 4TO");
    assert_eq!(
        of("20600000072").address,
        "CAR. PANAMERICANA NORTE INT. INT2 DPTO. 3B MZA. F LOTE. 10 KM. 58.5 FND. LA PALMA"
    );
    assert_eq!(of("20600000056").department(), "LIMA");
    assert_eq!(edition.summary(ruc("20600000064")), Ok(None));
}

#[test]
fn a_zip_and_its_text_give_the_same_rows() {
    let (text, zipped) = (Workspace::new(), Workspace::new());
    let file = fixture("companies_2018_real_latin1.txt");
    text.import(&PADRON, &file);
    zipped.import(&PADRON, &zip(&[("Padron_Reducido_RUC.TXT", &file)]));
    assert_eq!(answers(&text.edition(&PADRON)), answers(&zipped.edition(&PADRON)));
}

#[test]
fn crlf_and_a_missing_last_line_break_are_accepted() {
    let (lf, crlf) = (Workspace::new(), Workspace::new());
    let file = fixture("rows_2026_latin1.txt");
    lf.import(&PADRON, &file);
    let text: Vec<u8> =
        file.iter().flat_map(|&byte| if byte == b'\n' { vec![b'\r', b'\n'] } else { vec![byte] }).collect();
    crlf.import(&PADRON, text.trim_ascii_end());
    assert_eq!(answers(&lf.edition(&PADRON)), answers(&crlf.edition(&PADRON)));
}

#[test]
fn every_status_and_condition_reads_back_known_or_not() {
    let words = [
        "ACTIVO",
        "ANULACION - ACTO ILI",
        "ANUL.PROVI.-ACTO ILI",
        "ESTADO NUEVO",
        "-",
        "NO HABIDO",
        "DEVUELTO",
        "NO APLICABLE X TRAMI",
        "domicilio  raro",
        "",
    ];
    let rows: Vec<(Ruc, &str, &str)> =
        (0..100_u32).map(|n| (company(n), words[n as usize % 10], words[n as usize / 10])).collect();
    let workspace = Workspace::new();
    workspace.import(
        &PADRON,
        &padron(
            rows.iter()
                .map(|(ruc, status, condition)| format!("{ruc}|NAME|{status}|{condition}|-|-|-|-|-|-|-|-|-|-|-|")),
        ),
    );
    let edition = workspace.edition(&PADRON);
    for (ruc, status, condition) in rows {
        let row = edition.summary(ruc).unwrap().unwrap();
        let text = |word: &str| match word {
            "-" => String::new(),
            "domicilio  raro" => "domicilio raro".to_owned(),
            other => other.to_owned(),
        };
        let whole = if status.ends_with("ACTO ILI") { format!("{status}CITO") } else { text(status) };
        assert_eq!(row.status.as_str(), whole);
        let condition = text(condition);
        let whole =
            if condition == "NO APLICABLE X TRAMI" { "NO APLICABLE X TRAMITE DE REVERSION" } else { &condition };
        assert_eq!(row.condition.as_str(), whole);
    }
}

#[test]
fn a_name_of_60_kilobytes_is_kept_whole() {
    let workspace = Workspace::new();
    let name = (0..6000).map(|n| format!("PALABRA{n}")).collect::<Vec<_>>().join(" ");
    let name = &name[..60_000];
    workspace.import(&PADRON, &padron([line(company(1), name)]));
    assert_eq!(workspace.lookup(company(1)).unwrap().name, name);
}

#[test]
fn an_edition_of_summaries_has_no_rows_of_fields_and_the_reverse() {
    let workspace = Workspace::new();
    workspace.import(&PADRON, &fixture("rows_2026_latin1.txt"));
    workspace.import(&RETENCION, &fixture("withholding_agents_real_CR_latin1.txt"));
    let (padron, agents) = (workspace.edition(&PADRON), workspace.edition(&RETENCION));
    let (known, agent) = (ruc("20512201611"), ruc("20512081372"));
    assert_eq!((padron.summary(known).unwrap().unwrap().department(), padron.count(known)), ("LIMA", Ok(1)));
    assert!(padron.rows(known).unwrap().is_empty());
    assert_eq!((agents.summary(agent), agents.count(agent)), (Ok(None), Ok(1)));
}

/// Text a column may hold: windows-1252 with blanks, without pipes, control characters and undefined bytes.
fn column() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("-".to_owned()),
        Just("----".to_owned()),
        proptest::collection::vec(proptest::sample::select("AZÑñ09.\"'\\ &–“€á-".chars().collect::<Vec<_>>()), 0..12)
            .prop_map(|chars| chars.into_iter().collect()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_row_reads_back_as_composed_from_its_columns(
        rows in proptest::collection::vec((0..1000_u32, "[A-ZÑ\"]{1,9}( [A-Z&]{1,9}){0,3}", proptest::collection::vec(column(), 10)), 1..20),
        ubigeo in prop_oneof![Just("-".to_owned()), "(0[1-9]|1[0-9]|2[0-5])[0-9]{4}"],
    ) {
        let mut lines = std::collections::BTreeMap::new();
        for (n, name, columns) in rows {
            let ruc = company(n);
            lines.entry(ruc).or_insert(format!("{ruc}|{name}|ACTIVO|HABIDO|{ubigeo}|{}|", columns.join("|")));
        }
        // A line whose bytes are valid UTF-8 beyond ASCII is refused.
        lines.retain(|_, line| { let bytes = windows_1252(line); bytes.is_ascii() || std::str::from_utf8(&bytes).is_err() });
        prop_assume!(!lines.is_empty());
        let workspace = Workspace::new();
        workspace.import(&PADRON, &padron(lines.values()));
        let edition = workspace.edition(&PADRON);
        for (ruc, line) in &lines {
            prop_assert_eq!(fields(&edition.summary(*ruc).unwrap().unwrap()), expected(line));
        }
    }
}
