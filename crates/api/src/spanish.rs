//! Spanish words that answers and pages share.

use std::fmt::Write as _;

use kuraka_domain::{Date, RucError};

/// Maximum number of periods that a message names.
const PERIODS: usize = 6;

const MONTHS: [&str; 12] = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];

/// `enero` for 1; empty for a number that is no month.
#[must_use]
pub fn month(number: u8) -> &'static str {
    MONTHS.get(usize::from(number).wrapping_sub(1)).copied().unwrap_or_default()
}

/// The message about a voucher whose data SUNAT calls invalid, with SUNAT's reason if it gives one.
#[must_use]
pub fn rejected_voucher(reason: Option<&str>) -> String {
    match reason.map(|reason| reason.trim_end_matches('.')) {
        Some(reason) => format!("El comprobante enviado no es válido, según la SUNAT: {reason}."),
        None => "El comprobante enviado no es válido, según la SUNAT.".to_owned(),
    }
}

/// The message for a cell without a RUC.
pub const NO_RUC: &str = "Falta el RUC.";
/// The message for a RUC that a spreadsheet program shortened, such as `2.01001E+10`.
pub const SHORTENED_RUC: &str = "La hoja de cálculo acortó el número y se perdieron cifras: dé formato de texto a la \
                                 columna y escriba el RUC otra vez.";
/// The message for a row whose cells a comma in a name has moved.
pub const MOVED_ROW: &str = "Una coma en un nombre corrió las celdas de esta fila: ponga el nombre entre comillas.";

/// The message for a row whose kind of document is none of a RUC.
pub const OTHER_DOCUMENT: &str = "Según su tipo de documento, no es un RUC: no se consultó.";

/// The message for a text that is not a RUC.
#[must_use]
pub fn wrong_ruc(error: &RucError) -> String {
    format!("El RUC es incorrecto: {}.", ruc_error(error))
}

/// Why a padrón that is too old, or dated in the future, cannot prove that a RUC does not exist.
#[must_use]
pub fn stale_miss(age_days: i32) -> String {
    format!(
        "El padrón de este servicio {}. Por eso no puede decir si el RUC existe. El operador del servicio debe \
         actualizarlo.",
        edition_age(age_days)
    )
}

/// Why a dataset without a usable edition does not answer.
#[must_use]
pub fn no_edition(dataset: &str, is_damaged: bool) -> String {
    let (why, cure) = if is_damaged { ("tiene dañado", "importarlo otra vez") } else { ("no tiene", "importarlo") };
    format!(
        "Este servicio {why} el conjunto de datos \"{dataset}\", así que no puede responder. El operador del servicio \
         debe {cure}."
    )
}

/// The age of an edition that is too old, or dated in the future.
#[must_use]
pub fn edition_age(days: i32) -> String {
    match u32::try_from(days) {
        Ok(days) => format!("tiene {days} días, más de los permitidos"),
        Err(_) => "lleva una fecha futura".to_owned(),
    }
}

/// Why a RUC is not valid, in Spanish, as the end of a sentence.
#[must_use]
pub fn ruc_error(error: &RucError) -> String {
    match error {
        RucError::Length { found: 1 } => "debe tener 11 dígitos y tiene 1 carácter".to_owned(),
        RucError::Length { found } => format!("debe tener 11 dígitos y tiene {found} caracteres"),
        RucError::NotADigit { position, .. } => {
            format!("solo admite dígitos del 0 al 9 y el carácter {position} no lo es")
        }
        RucError::Prefix { found } => format!("debe empezar con 10, 15, 16, 17 o 20 y empieza con {found:02}"),
        RucError::CheckDigit { .. } => {
            "el dígito verificador no corresponde; revise si hay un dígito errado".to_owned()
        }
        _ => "no es un RUC".to_owned(),
    }
}

/// What is said while the history does not lead to the current edition.
pub const NO_RECORD: &str = "El historial de este servicio no llega a su edición actual. Se completa con la siguiente.";

/// Why a history says nothing of a day, with the days that it covers, the oldest first. `None` = the day is no date.
#[must_use]
pub fn not_covered(date: Option<Date>, periods: &[(Date, Date)]) -> String {
    let text = match date {
        Some(date) => format!("El historial no cubre el {date}."),
        None => "La fecha debe ser un día con la forma AAAA-MM-DD.".to_owned(),
    };
    with_covered(text, periods)
}

/// A text, and the days that a record covers, the oldest first.
#[must_use]
pub fn with_covered(mut text: String, periods: &[(Date, Date)]) -> String {
    text += if periods.is_empty() { " No cubre ningún día." } else { " Cubre" };
    let left_out = periods.len().saturating_sub(PERIODS);
    let mut separator = "";
    for (from, until) in periods.iter().skip(left_out) {
        let _ = write!(text, "{separator} del {from} al {until}");
        separator = ",";
    }
    text += match (periods.is_empty(), left_out) {
        (true, _) => "",
        (false, 0) => ".",
        (false, _) => ", y períodos anteriores.",
    };
    text
}
