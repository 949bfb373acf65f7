//! Checks a payment voucher as its holder typed it, and writes the body of `POST /cpe`:
//! `cargo run --example compose_voucher_query`.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use std::error::Error;

use kuraka_domain::{Date, IssueDate, Ruc, Voucher, VoucherKind, VoucherSeries};

/// The fields of a voucher as texts: issuer, kind, series, number, day of issue and total.
fn voucher(fields: [&str; 6], today: Date) -> Result<Voucher, Box<dyn Error>> {
    let [issuer, kind, series, number, issued, total] = fields;
    let kind = VoucherKind::parse(kind)?;
    Ok(Voucher {
        issuer: Ruc::parse(issuer)?,
        kind,
        series: VoucherSeries::parse(series)?.for_kind(kind)?,
        number: number.parse()?,
        issued: IssueDate::new(issued.parse()?, today)?,
        total: total.parse()?,
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let today = Date::parse("2025-10-08")?;
    let Voucher { issuer, kind, series, number, issued, total } =
        voucher(["20131312955", "01", "F001", "100672", "2025-10-07", "118.5"], today)?;
    print!(r#"{{"ruc_emisor":"{issuer}","codigo_tipo_documento":"{kind}","serie_documento":"{series}","#);
    println!(r#""numero_documento":"{number}","fecha_de_emision":"{issued}","total":"{total}"}}"#);
    let future =
        voucher(["20131312955", "01", "F001", "1", "2025-10-09", "1"], today).map_err(|error| error.to_string());
    assert_eq!(future, Err("a voucher is not issued in the future, 2025-10-09 is after 2025-10-08".to_owned()));
    assert!(voucher(["20131312955", "03", "F001", "1", "2025-10-07", "1"], today).is_err(), "a receipt has no F001");
    Ok(())
}
