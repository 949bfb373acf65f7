//! Registers of purchases as programs write them: the right column, or a question.

use kuraka_tables::{TableError, read_list};

use crate::layouts::{buyer, check, supplier, voucher};
use crate::lists::list;

#[test]
fn the_registers_of_programs_are_read() {
    let own = buyer();
    let facturador = format!(
        "COMPRADORA SAC\n{own}\nFORMATO 8.1 : \"REGISTRO DE COMPRAS DEL PERIODO SETIEMBRE 2026\"\nNUMERO CORRELATIVO DEL \
         REGISTRO;;FECHA EMISION;FECHA VENC.;COMPROBANTE DE PAGO;;;INFORMACON DE PROVEEDOR;;;IMPORTE TOTAL;MONEDA\n\
         ;;;;TIPO;SERIE;NUMERO;TIPO;NUMERO;RAZON SOCIAL;;"
    );
    type Layout<'a> = (&'a str, fn(&str, [String; 6]) -> String);
    let layouts: [Layout<'_>; 10] = [
        (&facturador, |_, [ruc, kind, series, number, day, total]| {
            format!("1;A;{day};;{kind};{series};{number};6;{ruc};PROVEEDORA;{total};S/")
        }),
        (
            "Nro.;F. Emis.;F.Vcto;TD;Serie;Nro.;TDI;Nro. Doc. Ident.;Nombre;BI;IGV;Total S/",
            |_, [ruc, kind, series, number, day, total]| {
                format!("1;{day};30/10/2026;{kind};{series};{number};6;{ruc};PROVEEDORA;85.17;15.33;{total}")
            },
        ),
        (
            "RUC|Periodo|Fecha Emisión|TD|Serie|Número|Nro. Doc. Ident.|Razón Social|Total",
            |own, [ruc, kind, series, number, day, total]| {
                format!("{own}|202609|{day}|{kind}|{series}|{number}|{ruc}|PROVEEDORA|{total}")
            },
        ),
        (
            "#|Tipo Doc|Número|F. Emisión|F. Vencimiento|Proveedor|RUC|Cliente|F. Pago|Estado|Moneda|Total ISC|Total Gravado|Total IGV|Total",
            |_, [ruc, kind, series, number, day, total]| {
                format!(
                    "1|{kind}|{series}-{number}|{day}|30/10/2026|PROVEEDORA|{ruc}|COMPRADORA|30/10/2026|Registrado|PEN|0.00|85.17|15.33|{total}"
                )
            },
        ),
        (
            "Vou.Origen|Vou.Numero|Vou.Fecha|Doc|Serie|Numero|Fec.Doc|Fec.Venc.|Codigo|B.Imponible|IGV|Moneda|TC|Total|R.Social",
            |_, [ruc, kind, series, number, day, total]| {
                format!(
                    "08|0001|30/09/2026|{kind}|{series}|{number}|{day}|30/10/2026|{ruc}|85.17|15.33|S|3.750|{total}|PROVEEDORA"
                )
            },
        ),
        (
            "RUC Proveedor;Razón Social Proveedor;Tipo Doc;Serie;Número;Fecha Emisión;Monto Total;Moneda",
            |_, [ruc, kind, series, number, day, total]| {
                format!("{ruc};PROVEEDORA;{kind};{series};{number};{day};{total};PEN")
            },
        ),
        (
            "Número documento,Proveedor RUC,Tipo comprobante,Serie,Fecha de emisión,Importe total",
            |_, [ruc, kind, series, number, day, total]| format!("{number},{ruc},{kind},{series},{day},{total}"),
        ),
        (
            "RUC Empresa|F.Emis.|T.Doc|Ser.|Nro|Doc. Ident. Prov.|Nombre|Total S/",
            |own, [ruc, kind, series, number, day, total]| {
                format!("{own}|{day}|{kind}|{series}|{number}|{ruc}|PROVEEDORA|{total}")
            },
        ),
        (
            "Fecha de documento|Fecha de comprobante|Fecha de vencimiento|Tipo de Documento|Número de Documento|Tipo de documento de identidad|Número de documento de identidad|Moneda|Base imponible|IGV|Importe total|Referencia del comprobante de pago que se modifica Fecha|Referencia del comprobante de pago que se modifica Tipo|Referencia del comprobante de pago que se modifica Serie|Referencia del comprobante de pago que se modifica Numero",
            |_, [ruc, kind, series, number, day, total]| {
                format!("{day}|30/09/2026|30/10/2026|{kind}|{series}-{number}|6|{ruc}|MN|85.17|15.33|{total}||||")
            },
        ),
        ("Emisión\tComprobante\tR.U.C.\tImporte", |_, [ruc, kind, series, number, day, total]| {
            format!("{day}\t{kind}-{series}-{number}\t{ruc}\t{total}")
        }),
    ];
    for (heads, write) in layouts {
        let rows: Vec<String> = (0..4).map(|at| write(&own, voucher(at))).collect();
        check(heads, &list(format!("{heads}\n{}\n", rows.join("\n")).as_bytes()), 4);
    }
}

#[test]
fn two_possible_columns_are_a_question() {
    let [one, two] = [supplier(1), supplier(2)];
    let own = buyer();
    for text in [
        format!("RUC;RUC\n{one};{two}\n{two};{one}\n"),
        format!("Fecha,RUC cliente,RUC proveedor\n01/09/2026,{one},{own}\n02/09/2026,{two},{own}\n"),
        format!("{one},01/09/2026,{two}\n{two},02/09/2026,{one}\n"),
        // One row tells nothing, and a heading that only says RUC neither.
        format!("RUC;Nro Doc\n{own};{one}\n"),
        // The suppliers are persons without a RUC, and the buyer is in every row.
        format!("RUC,Nro Doc Identidad,Total\n{own},12345678,1.00\n{own},87654321,2.00\n"),
    ] {
        let found = read_list(text.as_bytes(), 100, || true);
        assert!(matches!(&found, Err(TableError::Unsure(unsure)) if unsure.found.len() == 2), "{text}: {found:?}");
    }
    let sales =
        "Ruc,Razon Social,Periodo,Tipo Doc Identidad,Nro Doc Identidad,Valor Facturado Exportación,BI Gravada,Total CP";
    let sales = format!("{sales}\n{own},A,202609,6,{one},0.00,1.00,1.18\n");
    assert!(matches!(read_list(sales.as_bytes(), 100, || true), Err(TableError::Sales)));
}
