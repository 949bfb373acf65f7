//! The vouchers of the sandbox: invented ones of an invented issuer, one for each kind of answer.

/// The issuer of all of them.
pub const ISSUER: &str = "20999990062";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownVoucher {
    /// `codComp`.
    pub kind: &'static str,
    /// `numeroSerie`.
    pub series: &'static str,
    /// `numero`.
    pub number: u32,
    /// The day of issue, `YYYY-MM-DD`.
    pub issued: &'static str,
    /// The total; a physical voucher is found only without one.
    pub total: &'static str,
    pub about: &'static str,
    pub status: u16,
    /// The value of `data` with status 200, else the message.
    pub said: &'static str,
}

/// Every voucher. Any other voucher, day or total does not exist.
pub const VOUCHERS: &[KnownVoucher] = &[
    known("01", "F001", 1, "accepted", r#"{"estadoCp":"1","estadoRuc":"00","condDomiRuc":"00"}"#),
    known(
        "01",
        "F001",
        2,
        "accepted, issued to another taxpayer",
        r#"{"estadoCp":"1","estadoRuc":"00","condDomiRuc":"00","observaciones":["- El comprobante de pago consultado ha sido emitido a otro contribuyente."]}"#,
    ),
    known("03", "B001", 3, "annulled", r#"{"estadoCp":"2","estadoRuc":"00","condDomiRuc":"00","observaciones":[]}"#),
    known("01", "0001", 4, "authorised, physical", r#"{"estadoCp":"3","estadoRuc":"00","condDomiRuc":"00"}"#),
    known("01", "0001", 5, "not authorised, physical", r#"{"estadoCp":"4"}"#),
    known("01", "F001", 6, "not reported", r#"{"estadoCp":"0"}"#),
    known(
        "07",
        "F001",
        7,
        "accepted, its issuer deregistered and not found",
        r#"{"estadoCp":"1","estadoRuc":"10","condDomiRuc":"12"}"#,
    ),
    known(
        "03",
        "EB01",
        8,
        "annulled, its issuer suspended and to be verified",
        r#"{"estadoCp":"2","estadoRuc":"03","condDomiRuc":"11"}"#,
    ),
    known("R1", "E001", 9, "accepted, a fee receipt", r#"{"estadoCp":"1","estadoRuc":"00","condDomiRuc":"00"}"#),
    known(
        "01",
        "E001",
        10,
        "accepted, with codes in another form",
        r#"{"estadoCp":"0001","estadoRuc":0,"condDomiRuc":null,"observaciones":null}"#,
    ),
    known("01", "F001", 11, "unknown codes", r#"{"estadoCp":"9","estadoRuc":"99","condDomiRuc":"77"}"#),
    known("01", "F001", 12, "no status", r#"{"estadoRuc":"00","condDomiRuc":"00"}"#),
    KnownVoucher { status: 422, ..known("08", "F001", 13, "rejected for its date", "Fecha incorrecta") },
];

const fn known(
    kind: &'static str,
    series: &'static str,
    number: u32,
    about: &'static str,
    said: &'static str,
) -> KnownVoucher {
    KnownVoucher { kind, series, number, issued: "2026-01-15", total: "118.00", about, status: 200, said }
}

impl KnownVoucher {
    /// Whether the series is of printed vouchers, whose totals SUNAT does not know.
    pub fn is_physical(&self) -> bool {
        self.series.bytes().all(|byte| byte.is_ascii_digit())
    }
}
