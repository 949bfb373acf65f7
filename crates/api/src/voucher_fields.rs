//! Reads the fields of a voucher. Each error names the field and the valid values.

use std::borrow::Cow;

use kuraka_domain::{Amount, AmountError, Date, IssueDate, Ruc, Voucher, VoucherKind, VoucherNumber, VoucherSeries};

use crate::spanish;

/// How the fields of a voucher are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoucherForm {
    /// As `/cpe` takes them.
    Fields,
    /// The form of the tax authority's mass validator: the date in either order, and no total of a printed voucher.
    Line,
}

/// The voucher whose fields have the texts that `field` returns, not issued after `today`.
///
/// # Errors
/// The first refused field and what is wrong with it, in Spanish.
pub fn read_voucher<'a>(
    field: impl Fn(&'static str) -> Result<Cow<'a, str>, String>,
    form: VoucherForm,
    today: Date,
) -> Result<Voucher, String> {
    let wrong = |field: &str, why: &str| format!("El campo {field} es incorrecto: {why}.");

    const ISSUER: &str = "ruc_emisor";
    let issuer = field(ISSUER)?;
    let issuer = Ruc::parse(&issuer).map_err(|error| wrong(ISSUER, &spanish::ruc_error(&error)))?;

    const KIND: &str = "codigo_tipo_documento";
    let kind = field(KIND)?.parse::<VoucherKind>();
    let kind = kind.map_err(|_| wrong(KIND, "debe ser 01, 03, 07 u 08 (o 04, R1, R7)"))?;

    const SERIES: &str = "serie_documento";
    let series = field(SERIES)?;
    let parsed = VoucherSeries::parse(&series).and_then(|series| series.for_kind(kind));
    let is_lower_case = series.bytes().any(|byte| byte.is_ascii_lowercase());
    let hint = if is_lower_case { "va en mayúsculas, como F001" } else { series_hint(kind) };
    let series = parsed.map_err(|_| wrong(SERIES, hint))?;

    const NUMBER: &str = "numero_documento";
    let number = field(NUMBER)?.parse::<VoucherNumber>();
    let number = number.map_err(|_| wrong(NUMBER, "debe ser un texto de 1 a 8 dígitos, como \"123\""))?;

    const ISSUED: &str = "fecha_de_emision";
    let issued = field(ISSUED)?;
    let parsed = match form {
        VoucherForm::Line if issued.contains('/') => Date::parse_dmy(&issued),
        VoucherForm::Line | VoucherForm::Fields => Date::parse(&issued),
    };
    let issued = parsed.map_err(|_| wrong(ISSUED, "debe ser una fecha que exista, como 2026-01-31"))?;
    let issued = IssueDate::new(issued, today);
    let issued = issued.map_err(|_| wrong(ISSUED, "no puede ser posterior a hoy en el Perú"))?;

    const TOTAL: &str = "total";
    let total = field(TOTAL)?;
    // The request to the source has no total of a printed voucher.
    let is_without = form == VoucherForm::Line && series.is_physical() && total.is_empty();
    let total = if is_without { Ok(Amount::ZERO) } else { total.parse::<Amount>() };
    let total = total.map_err(|error| {
        wrong(
            TOTAL,
            match error {
                AmountError::TooPrecise { .. } => "debe tener 2 decimales como máximo; redondee el monto",
                AmountError::OutOfRange => "debe ser menor que 1000000000000",
                AmountError::Character { .. } | AmountError::MissingDigit | AmountError::LeadingZero | _ => {
                    "debe ser un monto sin signo ni exponente, como 118.00"
                }
            },
        )
    })?;

    Ok(Voucher { issuer, kind, series, number, issued, total })
}

const fn series_hint(kind: VoucherKind) -> &'static str {
    match kind {
        VoucherKind::Invoice => "una factura lleva F y 3 letras o dígitos, E001, o de 1 a 4 dígitos",
        VoucherKind::SalesReceipt => "una boleta lleva B y 3 letras o dígitos, EB01, o de 1 a 4 dígitos",
        VoucherKind::CreditNote | VoucherKind::DebitNote => {
            "una nota lleva F o B y 3 letras o dígitos, E001, EB01, o de 1 a 4 dígitos"
        }
        VoucherKind::PurchaseSettlement | VoucherKind::FeeReceipt | VoucherKind::FeeCreditNote => {
            "debe tener de 1 a 4 letras mayúsculas o dígitos"
        }
    }
}
