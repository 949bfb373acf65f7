//! A cell's text as a typed value.

use kuraka_domain::{Date, Ubigeo};

use super::bad_lines::Reason;
use crate::dataset::{DateForm, FieldKind, Value};

/// `text` is trimmed; `taxpayer_type` gives the text of a wording.
pub(super) fn convert<'a>(
    kind: FieldKind,
    text: &'a str,
    absent: &[&str],
    taxpayer_type: impl FnOnce(&'a str) -> &'a str,
) -> Result<Value<'a>, Reason> {
    if text.is_empty() || absent.iter().any(|none| none.eq_ignore_ascii_case(text)) {
        return Ok(Value::Absent);
    }
    match kind {
        FieldKind::Text => Ok(Value::Text(text)),
        FieldKind::Date(form) => date(form, text).map(Value::Date).ok_or(Reason::BadDate),
        FieldKind::Month => month(text).map(Value::Date).ok_or(Reason::BadDate),
        FieldKind::Integer => integer(text).map(Value::Integer).ok_or(Reason::BadNumber),
        FieldKind::Ubigeo => ubigeo(text).ok_or(Reason::BadUbigeo),
        FieldKind::TaxpayerType => Ok(Value::Text(taxpayer_type(text))),
    }
}

fn date(form: DateForm, text: &str) -> Option<Date> {
    match form {
        DateForm::DayMonthYear => Date::parse_dmy(text).ok(),
        DateForm::YearMonthDay => {
            let (month, day) = text.split_at_checked(6)?;
            let day = if day.len() == 2 { integer(day)? } else { return None };
            let month = self::month(month)?;
            Date::new(month.year(), month.month(), u8::try_from(day).ok()?).ok()
        }
    }
}

fn month(text: &str) -> Option<Date> {
    let number = if text.len() == 6 { integer(text)? } else { return None };
    Date::new(u16::try_from(number / 100).ok()?, u8::try_from(number % 100).ok()?, 1).ok()
}

fn integer(text: &str) -> Option<u32> {
    let digits = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// Six digits, or five if a program read the code as a number. Zero is no code.
fn ubigeo(text: &str) -> Option<Value<'static>> {
    let number = if matches!(text.len(), 5 | 6) { integer(text)? } else { return None };
    if number == 0 {
        return Some(Value::Absent);
    }
    Ubigeo::parse(&format!("{number:06}")).ok().map(Value::Ubigeo)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(kind: FieldKind, text: &str) -> Result<Value<'_>, Reason> {
        convert(kind, text, &["-", "NO DISPONIBLE"], |text| text)
    }

    #[test]
    fn each_kind_reads_its_published_forms() {
        let day = Value::Date(Date::new(2026, 8, 31).unwrap());
        let dmy = FieldKind::Date(DateForm::DayMonthYear);
        let ymd = FieldKind::Date(DateForm::YearMonthDay);
        assert_eq!(value(dmy, "31/08/2026"), Ok(day));
        assert_eq!(value(ymd, "20260831"), Ok(day));
        assert_eq!(value(FieldKind::Month, "202608"), Ok(Value::Date(Date::new(2026, 8, 1).unwrap())));
        assert_eq!(value(FieldKind::Integer, "0"), Ok(Value::Integer(0)));
        let arequipa = Value::Ubigeo(Ubigeo::parse("040129").unwrap());
        assert_eq!(value(FieldKind::Ubigeo, "040129"), Ok(arequipa));
        assert_eq!(value(FieldKind::Ubigeo, "40129"), Ok(arequipa));
        for kind in [dmy, ymd, FieldKind::Month, FieldKind::Integer, FieldKind::Ubigeo, FieldKind::Text] {
            for none in ["", "-", "NO DISPONIBLE", "No disponible"] {
                assert_eq!(value(kind, none), Ok(Value::Absent));
            }
        }
    }

    #[test]
    fn other_forms_are_refused() {
        let dmy = FieldKind::Date(DateForm::DayMonthYear);
        let ymd = FieldKind::Date(DateForm::YearMonthDay);
        for text in ["31/02/2026", "2026-08-31", "1/8/2026", "00/00/0000", "31/08/26"] {
            assert_eq!(value(dmy, text), Err(Reason::BadDate), "{text}");
        }
        for text in ["20260231", "2026083", "202608311", "+2026083", "2026 831", "ñañaña31"] {
            assert_eq!(value(ymd, text), Err(Reason::BadDate), "{text}");
        }
        for text in ["202613", "20268", "2026-8"] {
            assert_eq!(value(FieldKind::Month, text), Err(Reason::BadDate), "{text}");
        }
        for text in ["-1", "1.5", "1,000", "9999999999", "NE"] {
            assert_eq!(value(FieldKind::Integer, text), Err(Reason::BadNumber), "{text}");
        }
        for text in ["260101", "1501", "1501010", "15010A"] {
            assert_eq!(value(FieldKind::Ubigeo, text), Err(Reason::BadUbigeo), "{text}");
        }
    }
}
