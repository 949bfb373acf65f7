//! Small files in the published form.

use kuraka_domain::{Ruc, RucKind};
use kuraka_generators::padron::{HEADER, LIST_HEADER};

/// A company on the list of withholding agents.
pub(crate) const CUSTOMS: &str = "20131312955|SUPERINTENDENCIA NACIONAL DE ADUANAS|ACTIVO|HABIDO|150101|AV.|GARCILASO DE LA VEGA|URB.|CERCADO DE LIMA|1472|-|-|-|-|-|";

/// A company with a status cut at 20 characters and every part that an address can have after its street.
pub(crate) const MARKET: &str = "20100070970|SUPERMERCADOS DEL CALLAO S.A.|BAJA PROV. POR OFICI|NO HABIDO|070101|CALLE|UNO|----|-|-|2|5|403|B|21.5|";

/// An invented person.
pub(crate) fn person() -> Ruc {
    Ruc::from_parts(RucKind::NaturalPerson, 99_999_901).unwrap()
}

/// The person's line.
pub(crate) fn person_line() -> String {
    format!("{}|PEÑA NÚÑEZ JOSÉ|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|", person())
}

/// A padrón of these lines.
pub(crate) fn padron(lines: &[&str]) -> Vec<u8> {
    latin1(&format!("{HEADER}\n{}\n", lines.join("\n")))
}

/// A list with these RUCs.
pub(crate) fn list(rucs: &[&str]) -> Vec<u8> {
    let records: String = rucs.iter().map(|ruc| format!("{ruc}|TAXPAYER|01/06/2002|RS 037-2002|\r")).collect();
    latin1(&format!("{LIST_HEADER}\r{records}"))
}

/// The published encoding of these lines.
pub(crate) fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).unwrap()).collect()
}
