//! The 25 departments, and how to find one at the end of an address. Provinces and districts cannot be found this way,
//! because many share a name.

/// By code, from 01. Callao is a constitutional province and counts as one.
pub const DEPARTMENTS: [&str; 25] = [
    "AMAZONAS",
    "ANCASH",
    "APURIMAC",
    "AREQUIPA",
    "AYACUCHO",
    "CAJAMARCA",
    "CALLAO",
    "CUSCO",
    "HUANCAVELICA",
    "HUANUCO",
    "ICA",
    "JUNIN",
    "LA LIBERTAD",
    "LAMBAYEQUE",
    "LIMA",
    "LORETO",
    "MADRE DE DIOS",
    "MOQUEGUA",
    "PASCO",
    "PIURA",
    "PUNO",
    "SAN MARTIN",
    "TACNA",
    "TUMBES",
    "UCAYALI",
];

/// Spellings that SUNAT prints, and the names in [`DEPARTMENTS`].
const ALIASES: [(&str, &str); 1] = [("PROV. CONST. DEL CALLAO", "CALLAO")];

/// Splits the longest known department name off the end of an upper-case text. Returns the text before it and the name
/// as in [`DEPARTMENTS`]; `None` if the text does not end with a name as a separate word. Blanks at the end and between
/// the parts are dropped.
///
/// ```
/// use kuraka_domain::ubigeo::split_department;
///
/// assert_eq!(split_department("CAL.LIMA NRO. 65 LA LIBERTAD "), Some(("CAL.LIMA NRO. 65", "LA LIBERTAD")));
/// assert_eq!(split_department("AV. LIMA PROV. CONST. DEL CALLAO"), Some(("AV. LIMA", "CALLAO")));
/// assert_eq!(split_department("LIMA"), Some(("", "LIMA")));
/// assert_eq!(split_department("JR. COLLIMA"), None);
/// ```
#[must_use]
pub fn split_department(text: &str) -> Option<(&str, &'static str)> {
    let text = text.trim_end();
    let spellings = ALIASES.into_iter().chain(DEPARTMENTS.into_iter().map(|name| (name, name)));
    spellings
        .filter_map(|(spelling, name)| {
            let before = text.strip_suffix(spelling)?;
            let rest = before.trim_end();
            (before.is_empty() || rest.len() < before.len()).then_some((rest, name, spelling.len()))
        })
        .max_by_key(|&(_, _, length)| length)
        .map(|(rest, name, _)| (rest, name))
}
