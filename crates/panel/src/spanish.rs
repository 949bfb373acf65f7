//! Numbers, dates and times in the Peruvian format, and the message for a rejected search.

use jiff::Timestamp;
use jiff::tz::Offset;
pub(crate) use kuraka_api::spanish::month;
use kuraka_app::{ExchangeRateError, SearchFieldError, SearchFields, calendar};
use kuraka_domain::Date;

/// Peru is at UTC−05:00 all year.
const PERU: Offset = Offset::constant(-5);

/// `1,234,567`.
pub(crate) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 consulta`, `1,234 consultas`.
pub(crate) fn queries(count: u64) -> String {
    format!("{} consulta{}", number(count), if count == 1 { "" } else { "s" })
}

/// `20 nov 2026`.
pub(crate) fn day(date: Date) -> String {
    format!("{} {}", short_day(date), date.year())
}

/// The text with its days as people read them: `20 nov 2026` for `2026-11-20`.
pub(crate) fn with_days(text: &str) -> String {
    const ENDS: [char; 4] = [' ', ',', '.', ';'];
    let part = |part: &str| match Date::parse(part.trim_end_matches(ENDS)) {
        Ok(date) => part.replacen(&date.to_string(), &day(date), 1),
        Err(_) => part.to_owned(),
    };
    text.split_inclusive(ENDS).map(part).collect()
}

/// That the record does not cover a day, for people.
pub(crate) fn not_covered(date: Option<Date>, periods: &[(Date, Date)]) -> String {
    with_days(&kuraka_api::spanish::not_covered(date, periods))
}

/// `noviembre de 2026`.
pub(crate) fn month_of(date: Date) -> String {
    format!("{} de {}", month(date.month()), date.year())
}

/// `20 nov`.
pub(crate) fn short_day(date: Date) -> String {
    // Every name is ASCII and longer than three letters.
    format!("{} {}", date.day(), month(date.month()).get(..3).unwrap_or_default())
}

/// In Peru: `20 nov 2026`.
pub(crate) fn day_of(moment: Timestamp) -> String {
    day(calendar::today(moment))
}

/// `20 nov 2026, 22:40`.
pub(crate) fn moment(moment: Timestamp) -> String {
    let time = PERU.to_datetime(moment).time();
    format!("{}, {:02}:{:02}", day_of(moment), time.hour(), time.minute())
}

/// Why a field of a search is refused, for callers.
pub fn search_field_error(error: &SearchFieldError) -> String {
    const MAX: usize = SearchFields::MAX_RESULTS;
    let (field, why) = match error {
        SearchFieldError::Length { found } => ("nombre", format!("debe tener de 2 a 100 caracteres y tiene {found}")),
        SearchFieldError::Control => ("nombre", "no admite caracteres de control, como los saltos de línea".to_owned()),
        SearchFieldError::NoWord => ("nombre", "debe tener letras o dígitos".to_owned()),
        SearchFieldError::OneLetter => {
            ("nombre", "una letra sola no basta; agregue más letras u otra palabra".to_owned())
        }
        SearchFieldError::Words { found } => {
            ("nombre", format!("admite {} palabras como máximo y tiene {found}", SearchFields::WORDS))
        }
        SearchFieldError::ShortWord { word } => {
            let least = SearchFields::INSIDE;
            ("nombre", format!("en el modo contiene, cada palabra debe tener {least} caracteres o más, no como {word}"))
        }
        SearchFieldError::Unknown { field, possible } => (*field, format!("debe ser uno de estos: {possible}")),
        SearchFieldError::Limit => ("limite", format!("debe ser un entero de 1 a {MAX}")),
        SearchFieldError::BrokenCursor => {
            ("cursor", "está dañado o incompleto; envíe el valor de siguiente tal como llegó".to_owned())
        }
        SearchFieldError::ForeignCursor => {
            let why = "es de otra búsqueda; repita el nombre, el modo y los filtros de la página anterior";
            ("cursor", why.to_owned())
        }
    };
    format!("El campo {field} es incorrecto: {why}.")
}

/// Why a day has no exchange rate, for callers.
pub fn exchange_rate_error(error: ExchangeRateError) -> String {
    match error {
        ExchangeRateError::NotCovered(day) => {
            format!("El registro de este servicio no cubre el tipo de cambio del {day}.")
        }
        ExchangeRateError::NotKnownYet(day) => {
            format!("El tipo de cambio del {day} todavía no se conoce. Vuelva a intentarlo en unos minutos.")
        }
        ExchangeRateError::Future(day) => format!("El {day} está en el futuro y su tipo de cambio no se conoce."),
        ExchangeRateError::NoRecord => {
            "Este servicio todavía no tiene el conjunto de datos \"tipo_de_cambio\", así que no puede responder."
                .to_owned()
        }
    }
}
