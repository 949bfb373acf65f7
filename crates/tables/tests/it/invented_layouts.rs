//! Registers that no program has written so far: the right columns, or a question about the one that is not sure.

use kuraka_domain::Date;
use kuraka_tables::{Choice, ListColumn, Source, TableCell};

use crate::layouts::{buyer, check, supplier, voucher, workbook};
use crate::lists::list;

type Write = fn(&str, u32, [String; 6]) -> String;

/// What is odd about each, its headings (`OWN` is the buyer's RUC), its rows and its last rows.
const LAYOUTS: [(&str, &str, Write, &str); 17] = [
    (
        "own RUC in each row, titles, two rows of headings, totals",
        "COMPRADORA SAC;;;;;;;;;\nRUC: OWN;;;;;;;;;\nRegistro de compras - setiembre 2026;;;;;;;;;\n;;;;;;;;;\n\
                 Contribuyente;Periodo;Comprobante;;;;Proveedor;;Importes;\nRUC;;Tipo;Serie;Número;Fecha;N° Doc.;Nombre;IGV;Total\n",
        |own, _, [ruc, kind, series, number, day, total]| {
            format!("{own};202609;{kind};{series};{number};{day};{ruc};PROVEEDORA SAC;15.25;{total}\n")
        },
        ";;;;;;;TOTAL GENERAL;61.00;1,002.00\n",
    ),
    (
        "the buyer's RUC below CLIENTE, the supplier's below PROVEEDOR",
        "Datos del cliente,,Datos del proveedor,,Documento,,,,\nRUC,Nombre,RUC,Nombre,Tipo,Serie,Nro,F. Emisión,Importe\n",
        |own, _, [ruc, kind, series, number, day, total]| {
            format!("{own},COMPRADORA,{ruc},PROVEEDORA,{kind},{series},{number},{day},{total}\n")
        },
        "",
    ),
    (
        "a name after the RUC, series and number in one cell, amounts with their sign",
        "F. Emis.;T.Doc.;Comprobante;Proveedor;Moneda;Total S/\n",
        |_, at, [ruc, kind, series, number, day, total]| {
            format!("{day};{kind};{series}-0000{number};{ruc} - {}M PERU SAC;PEN;\"S/ {total}\"\n", at + 1)
        },
        "",
    ),
    (
        "RUC with its word and dashes, kinds as words",
        "Fecha de emisión\tTipo\tSerie\tNúmero\tRUC del proveedor\tRazón social\tImporte total\n",
        |_, at, [ruc, _, series, number, day, total]| {
            let (start, rest) = ruc.split_at(2);
            let (body, last) = rest.split_at(8);
            let ruc = if at % 2 == 0 { format!("{start}-{body}-{last}") } else { format!("RUC {ruc}") };
            format!("{day}\tFACTURA\t{series}\t{number}\t{ruc}\tPROVEEDORA\t{total}\n")
        },
        "",
    ),
    (
        "RUC as a number with decimals, repeated headings of pages, carried totals",
        "Fecha,TD,Serie,Número,RUC,Razón social,Base,IGV,Total\n",
        |_, at, [ruc, kind, series, number, day, total]| {
            let page = "VAN,,,,,,169.50,30.50,301.00\nFecha,TD,Serie,Número,RUC,Razón social,Base,IGV,Total\nVIENEN,,,,,,169.50,30.50,301.00\n";
            format!(
                "{}{day},{kind},{series},{number}.0,{ruc}.0,PROVEEDORA,84.75,15.25,{total}\n",
                if at == 2 { page } else { "" }
            )
        },
        ",,,,,TOTALES,339.00,61.00,1002.00\n",
    ),
    (
        "RUCs of the carrier and of the supplier, three dates, several totals",
        "Fecha registro|Fecha emisión|Fecha vencimiento|Tipo comprobante|Serie|Número|RUC transportista|RUC proveedor|\
             Total gravado|Total IGV|Total comprobante|Saldo total\n",
        |_, at, [ruc, kind, series, number, day, total]| {
            format!(
                "30/09/2026|{day}|30/10/2026|{kind}|{series}|{number}|{}|{ruc}|84.75|15.25|{total}|0.00\n",
                supplier(at + 20)
            )
        },
        "",
    ),
    (
        "a plain RUC beside the carrier's, its guide beside the voucher",
        "FECHA;TIPO CPE;SERIE-NÚMERO;R.U.C.;GUÍA DE REMISIÓN;RUC TRANSP.;IMPORTE\n",
        |_, at, [ruc, kind, series, number, day, total]| {
            format!("{day};{kind};{series}-{number};{ruc};T001-{};{};{total}\n", 50 + at, supplier(at + 20))
        },
        "",
    ),
    (
        "the voucher's kind before the RUC, the tax by its name, prices of units",
        "Fecha;Serie;Número;Tipo documento;RUC;Precio unitario;IGV (Impuesto General a las Ventas);Importe\n",
        |_, _, [ruc, kind, series, number, day, total]| {
            format!("{day};{series};{number};{kind};{ruc};9.75;15.25;{total}\n")
        },
        "",
    ),
    (
        "sales beside the purchases",
        "COMPRAS;;;;;VENTAS;;;;\nFECHA;TIPO;SERIE-NÚMERO;RUC;TOTAL;FECHA;TIPO;SERIE-NÚMERO;RUC;TOTAL\n",
        |_, at, [ruc, kind, series, number, day, total]| {
            let sale = format!("{day};01;E001-{at};{};500.00", supplier(at + 20));
            format!("{day};{kind};{series}-{number};{ruc};{total};{sale}\n")
        },
        "",
    ),
    (
        "names of fields of a program, a total below the RUC",
        "fecEmision;codTipDoc;numSerie;numDoc;numRuc;rznSocial;mtoImpVenta\n",
        |_, _, [ruc, kind, series, number, day, total]| {
            format!("{day};{kind};{series};{number};{ruc};PROVEEDORA;{total}\n")
        },
        ";;;;TOTAL S/;;1002.00\n",
    ),
    (
        "marks of texts, and the price as the total",
        "RUC|PROVEEDOR|FECHA|TIPO|SERIE|NÚMERO|VALOR DE VENTA|IGV|PRECIO DE VENTA\n",
        |_, _, [ruc, kind, series, number, day, total]| {
            format!("'{ruc}|PROVEEDORA|'{day}|'{kind}|{series}|'0000{number}|84.75|15.25|{total}\n")
        },
        "",
    ),
    (
        "dates with short years and with the names of months",
        "Emisión;Tipo;Serie;Número;RUC;Total\n",
        |_, at, [ruc, kind, series, number, _, total]| {
            let day = match at {
                0 => "01-09-26",
                1 => "2 set 2026",
                2 => "3 de setiembre de 2026",
                _ => "04/Sep/2026",
            };
            format!("{day};{kind};{series};{number};{ruc};{total}\n")
        },
        "",
    ),
    (
        "dates as serial numbers, an account with eleven digits",
        "Item,Fecha Doc.,Tipo Doc.,Serie,Nro.,RUC Prov.,Cuenta detracción,Total\n",
        |_, at, [ruc, kind, series, number, _, total]| {
            format!("{},{},{kind},{series},{number},{ruc},0010{:07},{total}\n", at + 1, 46_266 + at, 1_234_567 + at)
        },
        "",
    ),
    (
        "most suppliers have a DNI",
        "Fecha;Tipo;Serie;Número;Tipo doc.;Nro. doc.;Cliente RUC;Total\n",
        |own, at, [ruc, kind, series, number, day, total]| {
            let ruc = if at == 1 { "12345678".to_owned() } else { ruc };
            format!("{day};{kind};{series};{number};6;{ruc};{own};{total}\n")
        },
        "",
    ),
    (
        "a journal's columns, the supplier's code is its RUC",
        "Sub Diario,Número de Comprobante,Fecha de Comprobante,Código de Moneda,Código de Anexo,Tipo de Documento,\
             Serie,Número de Documento,Fecha de Documento,Importe Original\n",
        |_, at, [ruc, kind, series, number, day, total]| {
            format!("11,09{:04},30/09/2026,M.N.,{ruc},{kind},{series},{number},{day},{total}\n", at + 1)
        },
        "",
    ),
    (
        "four rows of headings, group over group",
        "REGISTRO DE COMPRAS;;;;;;;;\nCOMPROBANTE DE PAGO;;;;PROVEEDOR;;;IMPORTES;\nFECHA DE;TIPO;N° DE;N° DEL;DOCUMENTO DE IDENTIDAD;;APELLIDOS Y;IGV;IMPORTE\n\
             EMISIÓN;(TABLA 10);SERIE;COMPROBANTE;TIPO;NÚMERO;NOMBRES;;TOTAL\n",
        |_, _, [ruc, kind, series, number, day, total]| {
            format!("{day};{kind};{series};{number};6;{ruc};PROVEEDORA;15.25;{total}\n")
        },
        ";;;;;;TOTALES;61.00;1002.00\n",
    ),
    (
        "a column of addresses and a note below the total",
        "Nº;RUC;PROVEEDOR;DIRECCIÓN;FECHA FACTURA;TIPO CPE;SERIE CPE;NRO CPE;MONTO TOTAL;OBSERVACIÓN\n",
        |_, at, [ruc, kind, series, number, day, total]| {
            format!(
                "{};{ruc};PROVEEDORA;AV. LIMA 123;{day};{kind};{series};{number};{total};pagado el 30/09/2026\n",
                at + 1
            )
        },
        ";;;;;;;Total:;1002.00;\n;;;Elaborado por: CONTADORA;;;;;;\n",
    ),
];

#[test]
fn each_column_of_an_invented_layout_is_the_right_one() {
    let own = buyer();
    for (name, heads, write, ends) in LAYOUTS {
        let rows: String = (0..4).map(|at| write(&own, at, voucher(at))).collect();
        check(name, &list(format!("{}{rows}{ends}", heads.replace("OWN", &own)).as_bytes()), 4);
    }
}

/// SIRE's proposal with its 80 columns.
fn rce(separator: &str, name: &str, own_name: &str, end: &str) -> String {
    let heads = "RUC|Apellidos y Nombres o Razón social|Periodo|CAR SUNAT|Fecha de emisión|Fecha Vcto/Pago|Tipo CP/Doc.|\
        Serie del CDP|Año|Nro CP o Doc. Nro Inicial (Rango)|Nro Final (Rango)|Tipo Doc Identidad|Nro Doc Identidad|\
        Apellidos Nombres/ Razón  Social|BI Gravado DG|IGV / IPM DG|BI Gravado DGNG|IGV / IPM DGNG|BI Gravado DNG|\
        IGV / IPM DNG|Valor Adq. NG|ISC|ICBPER|Otros Trib/ Cargos|Total CP|Moneda|Tipo de Cambio|\
        Fecha Emisión Doc Modificado|Tipo CP Modificado|Serie CP Modificado|COD. DAM O DSI|Nro CP Modificado|\
        Clasif de Bss y Sss|ID Proyecto Operadores|PorcPart|IMB|CAR Orig/ Ind E o I|Detracción|Tipo de Nota|Est. Comp.|Incal";
    let clu: String = (1..=39).map(|at| format!("|CLU{at}")).collect();
    let row = |at| {
        let [ruc, kind, series, number, day, total] = voucher(at);
        let own = buyer();
        let fields = format!(
            "{own}|{own_name}|202609|{ruc}{kind}{series}0000000{number}|{day}||{kind}|{series}||{number}||6|{ruc}|{name}|84.75|15.25|\
             0.00|0.10|0.00|0.00|0.00|0.00|0.00|0.00|{total}|USD|3.750|||||||||||||1|{}",
            "|".repeat(39)
        );
        fields.replace('|', separator)
    };
    let rows: Vec<String> = (0..4).map(row).collect();
    format!("\u{feff}{}{end}{}{end}", (heads.to_owned() + &clu).replace('|', separator), rows.join(end))
}

#[test]
fn the_forms_of_sunat_need_no_question() {
    let replaced = |at| {
        let [ruc, kind, series, number, day, total] = voucher(at);
        format!(
            "{}|COMPRADORA|202609||{day}||{kind}|{series}||{number}||6|{ruc}|PROVEEDORA|84.75|15.25|0.00|0.10|0.00|0.00|0.00|0.00|\
             0.00|0.00|{total}|USD|3.750||||||||||||1||\r\n",
            buyer()
        )
    };
    for (name, text) in [
        ("|", rce("|", "PROVEEDORA", "COMPRADORA", "\r\n")),
        (",", rce(",", "PROVEEDORA", "COMPRADORA", "\n")),
        ("a comma in the names", rce(",", "PEREZ, JUAN, E HIJOS", "COMPRADORA, SAC", "\r\n")),
        ("quoted names", rce(",", "\"PEREZ, JUAN\"", "\"COMPRADORA, SAC\"", "\n")),
        (";", rce(";", "PROVEEDORA", "COMPRADORA", "\r\n")),
        ("replacement without headings", (0..4).map(replaced).collect()),
    ] {
        let source = Source::read("20999990071-20261001-propuesta.txt", text.as_bytes(), 100, || true).unwrap();
        let reading = source.reading(&Choice::default(), 100).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        check(name, &reading, 4);
        assert!(reading.list.iter().all(|row| (row.igv, &*row.currency) == (Some(1_535), "PEN")), "{name}");
    }
}

#[test]
fn a_register_behind_a_cover_with_merged_headings_is_found() {
    let text = |text: &str| TableCell::Text(text.to_owned());
    let number = |text: &str| TableCell::Number(text.parse().unwrap());
    let texts = |cells: &[&str]| cells.iter().map(|cell| text(cell)).collect::<Vec<_>>();
    let cover = vec![texts(&["Estudio", "CONTABLE"]), texts(&["RUC", &buyer()]), texts(&["Teléfono", "987654321"])];
    // A merged cell has its text in its first cell.
    let mut rows = vec![
        texts(&["REGISTRO DE COMPRAS"]),
        vec![text("RUC:"), text(""), text(""), number(&buyer())],
        Vec::new(),
        texts(&["Fecha", "Comprobante", "", "", "Proveedor", "", "", "Importe"]),
        texts(&["", "Tipo", "Serie", "Número", "Tipo", "Número", "Nombre", "IGV", "Total"]),
    ];
    for at in 0..4 {
        let [ruc, _, series, voucher, _, total] = voucher(at);
        let day = match at {
            0 | 1 => TableCell::Day(Date::new(2026, 9, at as u8 + 1).unwrap()),
            _ => TableCell::Number(f64::from(46_266 + at)),
        };
        let document = [number("1"), text(&series), number(&voucher), number("6"), number(&ruc)];
        let rest = [text("PROVEEDORA"), number("15.25"), number(&total)];
        rows.push([day].into_iter().chain(document).chain(rest).collect());
    }
    rows.push(texts(&["", "", "", "", "", "", "Total"]).into_iter().chain([text(""), number("1002")]).collect());
    let book = workbook(vec![("Carátula", cover), ("Compras", rows)]);
    let reading = Source::read("x.xlsx", &book, 100, || true).unwrap();
    let reading = reading.reading(&Choice::default(), 100).unwrap();
    assert_eq!((&*reading.sheet, reading.heading), ("Compras", 5));
    check("", &reading, 4);
}

#[test]
fn the_sheet_of_purchases_is_found_beside_clients_and_sales() {
    let texts = |cells: &[&str]| cells.iter().map(|cell| TableCell::Text((*cell).to_owned())).collect::<Vec<_>>();
    let register = |party: &str, from: u32| {
        let rows = (0..4).map(|at| {
            let [_, kind, series, number, day, total] = voucher(at);
            texts(&[&day, &kind, &series, &number, &supplier(from + at), &total])
        });
        [texts(&["Fecha", "Tipo", "Serie", "Número", party, "Total"])].into_iter().chain(rows).collect::<Vec<_>>()
    };
    let clients = || (0..4).map(|at| texts(&[&supplier(40 + at), "CLIENTE"]));
    let clients = || [texts(&["RUC", "Nombre"])].into_iter().chain(clients()).collect::<Vec<_>>();
    let (sales, purchases) = (|| register("RUC cliente", 20), || register("RUC", 0));
    for (sheets, found) in [
        (vec![("Clientes", clients()), ("Compras", purchases())], "Compras"),
        (vec![("Compras", purchases()), ("Clientes", clients())], "Compras"),
        (vec![("Ventas", sales()), ("Compras", purchases())], "Compras"),
        (vec![("Ventas", sales()), ("Clientes", clients())], "Ventas"),
        // One voucher is a register too.
        (vec![("Clientes", clients()), ("Compras", purchases().into_iter().take(2).collect())], "Compras"),
    ] {
        let book = workbook(sheets);
        let reading = Source::read("x.xlsx", &book, 100, || true).unwrap().reading(&Choice::default(), 100).unwrap();
        assert_eq!((&*reading.sheet, reading.is_sales), (found, found == "Ventas"));
        assert_eq!(reading.column(ListColumn::Ruc), Some(4).filter(|_| !reading.is_sales));
    }
}

#[test]
fn what_is_not_sure_is_asked_for() {
    let own = buyer();
    let rows = |write: &dyn Fn(u32, [String; 6]) -> String| (0..4).map(|at| write(at, voucher(at))).collect::<String>();
    for (column, text) in [
        // Two companies of an office in one file.
        (
            ListColumn::Ruc,
            "RUC;RUC;Total\n".to_owned()
                + &rows(&|at, [ruc, .., total]| format!("{};{ruc};{total}\n", supplier(50 + at % 2))),
        ),
        // Proveedor heads the constant column.
        (
            ListColumn::Ruc,
            "RUC proveedor;RUC;Total\n".to_owned() + &rows(&|_, [ruc, .., total]| format!("{own};{ruc};{total}\n")),
        ),
        (
            ListColumn::Ruc,
            "Empresa;Documento;Total\n".to_owned() + &rows(&|_, [ruc, .., total]| format!("{ruc};{own};{total}\n")),
        ),
        (
            ListColumn::Date,
            "RUC;Fecha;Fecha;Total\n".to_owned()
                + &rows(&|_, [ruc, _, _, _, day, total]| format!("{ruc};{day};30/09/2026;{total}\n")),
        ),
        (
            ListColumn::Total,
            "RUC;Fecha;Tipo;Serie;Número;Total;Total\n".to_owned()
                + &rows(&|_, [ruc, kind, series, number, day, total]| {
                    format!("{ruc};{day};{kind};{series};{number};{total};1.00\n")
                }),
        ),
        (
            ListColumn::Number,
            "RUC;Fecha;Tipo;Serie;Total;Número;Número\n".to_owned()
                + &rows(&|at, [ruc, kind, series, number, day, total]| {
                    format!("{ruc};{day};{kind};{series};{total};{number};{at}\n")
                }),
        ),
    ] {
        let source = Source::read("x.csv", text.as_bytes(), 100, || true).unwrap();
        let reading = source.reading(&Choice::default(), 100).unwrap();
        assert!(reading.question(column).is_some() && reading.column(column).is_none(), "{column:?}: {text}");
    }
}
