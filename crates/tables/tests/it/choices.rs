//! What a person chooses about a list, what is asked, and what the amounts are.

use kuraka_domain::Date;
use kuraka_tables::{Choice, ListColumn, Reading, Shade, Source, TableCell, TableError, TableSheet};

fn source(name: &str, text: &str) -> Source {
    Source::read(name, text.as_bytes(), 10_000, || true).unwrap()
}

fn reading(text: &str, choice: &Choice) -> Reading {
    source("", text).reading(choice, 10_000).unwrap()
}

fn column(column: ListColumn, at: Option<usize>) -> Choice {
    Choice { columns: [(column, at)].into(), ..Choice::default() }
}

fn rucs(reading: &Reading) -> Vec<String> {
    reading.list.iter().filter_map(|row| row.ruc.ok()).map(|ruc| ruc.to_string()).collect()
}

const TWO: &str = "RUC;RUC\n20100119227;20999990038\n20999990038;20100119227\n";

#[test]
fn a_column_that_is_not_sure_is_a_question_until_it_is_chosen() {
    let asked = reading(TWO, &Choice::default());
    assert_eq!((asked.column(ListColumn::Ruc), asked.list.len()), (None, 0));
    assert_eq!(asked.question(ListColumn::Ruc).unwrap().found, ["RUC", "RUC"]);
    let chosen = reading(TWO, &column(ListColumn::Ruc, Some(1)));
    assert_eq!(rucs(&chosen), ["20999990038", "20100119227"]);
    assert!(chosen.unsure.is_empty());
}

#[test]
fn another_choice_replaces_what_was_recognised() {
    let text = "Proveedor RUC;Fecha;Cliente\n20100119227;1/9/2026;20999990038\n20999990038;2/9/2026;20100119227\n";
    let known = reading(text, &Choice::default());
    assert_eq!((known.column(ListColumn::Ruc), known.column(ListColumn::Date)), (Some(0), Some(1)));
    assert_eq!(rucs(&reading(text, &column(ListColumn::Ruc, Some(2)))), ["20999990038", "20100119227"]);
    assert_eq!(reading(text, &column(ListColumn::Date, None)).column(ListColumn::Date), None);
}

#[test]
fn a_dni_is_read_as_a_ruc_only_if_that_is_chosen() {
    let text = "Proveedor RUC;Nombre\n20100119227;A\n99999007;B\n20999990038;C\n9999900;D\n";
    let known = reading(text, &Choice::default());
    assert_eq!(rucs(&known), ["20100119227", "20999990038"]);
    let with_dni = |reading: &Reading| reading.list.iter().filter(|row| row.dni().is_some()).count();
    assert_eq!(with_dni(&known), 1);
    let chosen = reading(text, &Choice { has_dnis: true, ..Choice::default() });
    assert_eq!(rucs(&chosen), ["20100119227", "10999990075", "20999990038"]);
    assert_eq!((with_dni(&chosen), chosen.list.len()), (1, 4));
}

#[test]
fn the_last_row_of_the_headings_can_be_chosen() {
    let text = "RUC\n20100119227\n20999990038\n20100119227\n";
    let chosen = |heading| reading(text, &Choice { heading: Some(heading), ..Choice::default() });
    assert_eq!((chosen(1).heading, chosen(1).list.len()), (1, 3));
    let second = chosen(2);
    assert_eq!((second.heading, second.list.len(), &*second.names), (2, 2, &["20100119227".to_owned()][..]));
    assert_eq!((chosen(0).heading, chosen(0).list.len()), (0, 4));
}

#[test]
fn the_first_sheet_with_rows_of_rucs_is_proposed() {
    let sheet = |name, heading: &str, rucs: &'static [&str]| TableSheet {
        name,
        headings: vec![heading.to_owned()],
        plain_columns: 0,
        rows: Box::new(rucs.iter().map(|ruc| (Shade::Plain, vec![TableCell::of_text(ruc)]))),
        has_filter: false,
    };
    let sheets =
        vec![sheet("Portada", "Estudio", &["20100119227"]), sheet("Compras", "RUC", &["20999990038", "20100119227"])];
    let bytes = kuraka_tables::write_workbook(sheets).unwrap();
    let source = Source::read("", &bytes, 10_000, || true).unwrap();
    let known = source.clone().reading(&Choice::default(), 10_000).unwrap();
    assert_eq!((&*known.sheet, known.sheets.len()), ("Compras", 2));
    let chosen = Choice { sheet: Some("Portada".to_owned()), ..Choice::default() };
    assert_eq!(rucs(&source.reading(&chosen, 10_000).unwrap()), ["20100119227"]);
}

#[test]
fn what_is_packed_is_read_again_as_it_was() {
    let text = "RUC;Nota\n20100119227;\"a;b\"\"\nc\"\n\n20999990038;ñ\n";
    let source = source("LE1.txt", text);
    assert_eq!(Source::from_bytes(&source.to_bytes().unwrap()).unwrap(), source);
    assert!(Source::from_bytes(b"x").is_err());
    let lines: Vec<u64> = source.reading(&Choice::default(), 10_000).unwrap().list.iter().map(|row| row.line).collect();
    assert_eq!(lines, [2, 5]);
}

#[test]
fn a_register_of_sales_is_told_and_asked_for_its_column() {
    let text =
        "Ruc,Nro Doc Identidad,Valor Facturado Exportación\n20100119227,20999990038,1\n20100119227,20100119227,2\n";
    let sales = reading(text, &Choice::default());
    assert!(sales.is_sales && sales.column(ListColumn::Ruc).is_none());
    assert_eq!(sales.question(ListColumn::Ruc).unwrap().found.len(), 2);
    assert_eq!(rucs(&reading(text, &column(ListColumn::Ruc, Some(1)))), ["20999990038", "20100119227"]);
    let refused = kuraka_tables::read_list(text.as_bytes(), 10, || true).unwrap_err();
    assert!(matches!(refused, TableError::Sales));
}

#[test]
fn amounts_are_exact_and_credit_notes_subtract() {
    let text = "RUC;Fecha emisión;Tipo CP;Serie;Número;IGV DG;IGV DNG;Total CP;Moneda\n\
                20100119227;1/9/2026;01;F001;1;18,00;0,10;118,10;PEN\n\
                20100119227;1/9/2026;07;F001;2;1.800,00;;11.800,00;USD\n\
                20100119227;1/9/2026;07;F001;3;-1,80;;(11,80);S/\n\
                20100119227;1/9/2026;01;F001;4;;;0.005;$\n";
    let list = reading(text, &Choice::default());
    assert_eq!((list.column(ListColumn::Igv), &*list.more_igv), (Some(5), &[6][..]));
    let amounts: Vec<_> = list.list.iter().map(|row| (row.total, row.igv, row.currency.as_str())).collect();
    let expected = [
        (Some(11_810), Some(1_810), "PEN"),
        (Some(-1_180_000), Some(-180_000), "USD"),
        (Some(-1_180), Some(-180), "PEN"),
        (Some(1), None, "USD"),
    ];
    assert_eq!(amounts, expected);
}

#[test]
fn a_currency_is_a_sign_a_code_or_words() {
    let codes = [
        ("PEN", ["S/.", "Nuevos Soles", "M.N."]),
        ("USD", ["Dólar", "M.E.", "Dólares Americanos"]),
        ("EUR", ["€", "Euro", "EUR"]),
    ];
    for (code, words) in codes {
        let rows = words.map(|word| format!("20100119227;01/09/2026;01;F001;1;5.00;{word}\n")).concat();
        let list =
            reading(&format!("RUC;Fecha emisión;Tipo CP;Serie;Número;Total CP;Moneda\n{rows}"), &Choice::default());
        assert!(list.list.iter().all(|row| row.currency == code), "{:?}", list.list);
    }
}

#[test]
fn a_total_of_one_digit_is_no_kind_and_no_number() {
    for heading in ["Total CP", "Importe del comprobante", "Monto documento"] {
        let text = format!("Nro Doc Identidad,{heading}\n20100119227,1\n20999990038,3\n20999990755,7\n");
        let list = reading(&text, &Choice::default());
        let columns = [ListColumn::Kind, ListColumn::Number, ListColumn::Total].map(|column| list.column(column));
        assert_eq!(columns, [None, None, Some(1)], "{heading}");
    }
}

#[test]
fn amounts_of_sire_are_soles_whatever_the_currency_says() {
    let text = "RUC|CAR SUNAT|Fecha de emisión|Tipo CP/Doc.|Serie del CDP|Nro CP|Nro Doc Identidad|Total CP|Moneda\n\
                20999990071|1|04/09/2026|01|F001|13|20999990062|118.00|USD\n\
                20999990071|2|04/09/2026|01|F001|14|20100119227|118.00|USD\n";
    assert!(reading(text, &Choice::default()).list.iter().all(|row| row.currency == "PEN"));
}

#[test]
fn a_ple_in_dollars_asks_for_its_currency() {
    let row = |number: u32| {
        format!(
            "20260900|{number}|M1|04/09/2026||01|F001||{number}||6|20999990062|V|100.00|18.00|0.00|0.00|0.00|0.00|0.00|\
             0.00|0.00|0.00|118.00|USD|1.000|||||||||||||||||"
        )
    };
    let text = [row(1), row(2)].join("\n");
    let question = |digit| {
        let name = format!("LE20999990071202609000801000011{digit}1.TXT");
        let reading = source(&name, &text).reading(&Choice::default(), 10).unwrap();
        (reading.question(ListColumn::Currency).is_some(), reading.list[0].currency.clone())
    };
    assert_eq!(question('1'), (false, "PEN".to_owned()));
    assert!(question('2').0);
    let unnamed = source("", &text).reading(&Choice::default(), 10).unwrap();
    assert_eq!((unnamed.list[0].currency.as_str(), unnamed.list[0].igv), ("USD", Some(1_800)));
}

#[test]
fn cells_for_people_are_numbers_and_days_only_if_they_are_ones() {
    for (text, cell) in [
        ("20100119227", TableCell::Number(20_100_119_227.0)),
        ("118.00", TableCell::Amount(11_800)),
        ("-0.50", TableCell::Amount(-50)),
        ("04/09/2026", TableCell::Day(Date::parse("2026-09-04").unwrap())),
        ("0013", TableCell::Text("0013".to_owned())),
        ("F001", TableCell::Text("F001".to_owned())),
        ("1.", TableCell::Text("1.".to_owned())),
        ("1234567890123456", TableCell::Text("1234567890123456".to_owned())),
        ("", TableCell::Text(String::new())),
    ] {
        assert_eq!(TableCell::of_text(text), cell, "{text}");
    }
}

#[test]
fn a_csv_for_people_has_a_mark_semicolons_and_no_formula() {
    let cells = vec![
        TableCell::Text("=1;ñ".to_owned()),
        TableCell::Number(20_100_119_227.0),
        TableCell::Amount(-1_050),
        TableCell::Day(Date::parse("2026-09-04").unwrap()),
    ];
    let sheet = || TableSheet {
        name: "Comprobantes",
        headings: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
        plain_columns: 0,
        rows: Box::new([(Shade::Red, cells.clone())].into_iter()),
        has_filter: true,
    };
    let csv = String::from_utf8(kuraka_tables::write_people_csv(sheet()).unwrap()).unwrap();
    assert_eq!(csv, "\u{feff}a;b;c;d\r\n\"'=1;ñ\";20100119227;-10.50;04/09/2026\r\n");
    let book = kuraka_tables::write_workbook(vec![sheet()]).unwrap();
    let read = Source::read("", &book, 10, || true).unwrap().reading(&Choice::default(), 10).unwrap();
    assert_eq!((&*read.sheet, read.heading), ("Comprobantes", 1));
    assert_eq!(read.rows[1].1.iter().collect::<Vec<_>>(), ["=1;ñ", "20100119227", "-10.5", "2026-09-04"]);
}

#[test]
fn an_own_text_stays_whole_within_a_bound() {
    let (whole, cut) = ("x".repeat(4_096), "x".repeat(4_097));
    let source = source("x.csv", &format!("RUC;Nota\n20100119227;{whole}\n20999990038;{cut}\n"));
    let rows = source.reading(&Choice::default(), 10_000).unwrap().rows;
    assert_eq!((&rows[1].1[1], rows[2].1[1].chars().count()), (&*whole, 101));
    let many = format!("RUC;Nota\n{}", format!("20100119227;{whole}\n").repeat(600));
    let rows = Source::read("x.csv", many.as_bytes(), 10_000, || true).unwrap();
    let rows = rows.reading(&Choice::default(), 10_000).unwrap().rows;
    let kept: usize = rows.iter().map(|(_, row)| row.as_slice().len()).sum();
    assert!(rows[1].1[1] == *whole && rows[600].1[1] != *whole && kept < (2 << 20) + 600 * 200, "{kept}");
}
