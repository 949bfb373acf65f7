//! Suppliers without a RUC, as the column of the kinds of their documents says.

use kuraka_domain::Ruc;
use kuraka_tables::{Choice, ListColumn, RucCellError, Source, TableReader, XlsxLimits, ruc_column, ruc_of_row};

use crate::layouts::{buyer, supplier, voucher};

const LIMITS: XlsxLimits = XlsxLimits { text: 1 << 20, ratio: 1, ratio_from: 1 << 20 };

/// Kinds and numbers: two RUCs, a foreigner's number that would be a RUC, one that would be a wrong one, a passport, one of
/// eight digits, a DNI.
fn documents() -> [(&'static str, String); 7] {
    [
        ("6", supplier(0)),
        ("6", supplier(1)),
        ("4", supplier(2)),
        ("0", "20123456780".to_owned()),
        ("7", "AB123456".to_owned()),
        ("4", "00123456".to_owned()),
        ("1", "99999007".to_owned()),
    ]
}

type Write = fn(&str, [String; 6], &str) -> String;

#[test]
fn a_number_of_another_document_is_no_ruc() {
    let own = buyer();
    let layouts: [(&str, &str, Write); 6] = [
        (
            "named",
            "Fecha;Tipo;Serie;Número;Tipo Doc. Identidad;Nro Doc. Identidad;Razón social;Total\n",
            |_, row, document| {
                let [ruc, kind, series, number, day, total] = row;
                format!("{day};{kind};{series};{number};{document};{ruc};PROVEEDORA;{total}\n")
            },
        ),
        (
            "format 8.1",
            "FECHA;COMPROBANTE DE PAGO;;;INFORMACIÓN DEL PROVEEDOR;;;IMPORTE\n;;;;DOCUMENTO DE IDENTIDAD;;APELLIDOS Y NOMBRES;TOTAL\n\
             DE EMISIÓN;TIPO (TABLA 10);SERIE;NÚMERO;TIPO (TABLA 2);NÚMERO;;\n",
            |_, [ruc, kind, series, number, day, total], document| {
                format!("{day};{kind};{series};{number};{document};{ruc};PROVEEDORA;{total}\n")
            },
        ),
        ("beside, without its name", "Fecha;Comprobante;Tipo doc.;Nro. doc.;Total\n", |_, row, document| {
            let [ruc, _, series, number, day, total] = row;
            format!("{day};{series}-{number};0{document};{ruc};{total}\n")
        }),
        ("in words, far away", "RUC;Proveedor;Fecha;Total;Tipo de documento del proveedor\n", |_, row, document| {
            let [ruc, .., day, total] = row;
            let word = match document {
                "6" => "6 - RUC",
                "1" => "D.N.I.",
                "7" => "Pasaporte",
                "0" => "Doc. trib. no dom. sin RUC",
                _ => "Carné de extranjería",
            };
            format!("{ruc};PROVEEDORA;{day};{total};{word}\n")
        }),
        ("PLE", "", |_, [ruc, kind, series, number, day, total], document| {
            format!(
                "20260900|1|M1|{day}|30/10/2026|{kind}|{series}||{number}||{document}|{ruc}|PROVEEDORA|85.17|15.33|0.00|0.00|0.00|0.00|\
                 0.00|0.00|0.00|0.00|{total}|PEN|1.000|||||||||||||||1||\r\n"
            )
        }),
        ("SIRE", "", |own, [ruc, kind, series, number, day, total], document| {
            format!(
                "{own}|COMPRADORA|202609||{day}||{kind}|{series}||{number}||{document}|{ruc}|PROVEEDORA|84.75|15.25|0.00|0.10|0.00|\
                 0.00|0.00|0.00|0.00|0.00|{total}|PEN|3.750||||||||||||1||\r\n"
            )
        }),
    ];
    for (name, heads, write) in layouts {
        let rows = (0..).zip(documents()).map(|(at, (kind, number))| {
            let [_, rest @ ..] = voucher(at);
            let [document, series, voucher, day, total] = rest;
            write(&own, [number, document, series, voucher, day, total], kind)
        });
        let text = heads.to_owned() + &rows.collect::<String>();
        let source = Source::read("x.txt", text.as_bytes(), 100, || true).unwrap();
        let reading = source.reading(&Choice::default(), 100).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert_eq!(reading.unsure, [], "{name}");
        let rows = &reading.list;
        let found: Vec<_> = rows.iter().map(|row| row.ruc.map(|ruc| ruc.to_string())).collect();
        let other = Err(RucCellError::OtherDocument);
        assert_eq!(
            found[..6],
            [Ok(supplier(0)), Ok(supplier(1)), other.clone(), other.clone(), other.clone(), other],
            "{name}"
        );
        let dnis: Vec<_> = rows.iter().map(|row| row.dni().is_some()).collect();
        assert_eq!(dnis, [false, false, false, false, false, false, true], "{name}");
        // A DNI that is chosen as a RUC; the other numbers stay what they are.
        let source = Source::read("x.txt", text.as_bytes(), 100, || true).unwrap();
        let chosen = source.reading(&Choice { has_dnis: true, ..Choice::default() }, 100).unwrap();
        let rucs: Vec<_> = chosen.list.iter().filter_map(|row| row.ruc.ok()).collect();
        assert_eq!(
            rucs,
            [supplier(0), supplier(1), "10999990075".to_owned()].map(|ruc| Ruc::parse(&ruc).unwrap()),
            "{name}"
        );
        // Row by row, as a command reads a file of any size.
        let mut lines = Vec::new();
        let table = TableReader::new(text.as_bytes(), LIMITS).unwrap();
        let keep = |line, row: &mut kuraka_tables::StringRecord| {
            lines.push((line, row.clone()));
            Ok::<_, kuraka_tables::TableError>(())
        };
        table.rows(keep).unwrap();
        let column = ruc_column(&lines).unwrap();
        let rucs =
            lines.iter().skip(column.rows).filter_map(|(_, row)| ruc_of_row(row, column.at, column.documents).ok());
        assert_eq!(rucs.count(), 2, "{name}");
    }
}

#[test]
fn a_kind_of_voucher_beside_the_ruc_is_no_kind_of_document() {
    for heads in ["Fecha;Tipo doc.;RUC;Serie;Número;Total", "Fecha;Tipo;Proveedor RUC;Serie;Número;Total"] {
        let rows = (0..4).map(|at| {
            let [ruc, kind, series, number, day, total] = voucher(at);
            let kind = if at == 2 { "07" } else { &kind };
            format!("{day};{kind};{ruc};{series};{number};{total}\n")
        });
        let text = format!("{heads}\n{}", rows.collect::<String>());
        let source = Source::read("", text.as_bytes(), 100, || true).unwrap();
        let reading = source.reading(&Choice::default(), 100).unwrap();
        assert_eq!((reading.documents, reading.column(ListColumn::Kind)), (None, Some(1)), "{heads}");
        assert!(reading.list.iter().all(|row| row.ruc.is_ok()), "{heads}");
    }
}

#[test]
fn kinds_of_vouchers_under_the_name_of_documents_refuse_no_ruc() {
    let rows = (0..4).map(|at| {
        let [ruc, kind, series, number, day, total] = voucher(at);
        format!("{day};{series};{number};{kind};{ruc};15.25;{total}\n")
    });
    let heads = "Fecha;Serie;Número;Tipo documento proveedor;RUC;IGV (Impuesto General a las Ventas);Total\n";
    let text = heads.to_owned() + &rows.collect::<String>();
    let source = Source::read("x.txt", text.as_bytes(), 100, || true).unwrap();
    let list = source.reading(&Choice::default(), 100).unwrap().list;
    assert!(list.iter().all(|row| row.ruc.is_ok() && row.igv == Some(1_525)), "{list:?}");
}
