//! The original interface's operations that this service lacks. Their programs' operator should know.

/// Also with underscores.
const NAMES: [&str; 11] = [
    "dni",
    "dni-ruc",
    "ruc-representantes",
    "ruc-trabajadores",
    "ruc-deuda-coactiva",
    "ruc-contacto",
    "placa",
    "licencia-conducir",
    "comisiones-afp",
    "puertos",
    "aeropuertos",
];

/// The one that this path names, below `/api` or not.
pub(crate) fn name(path: &str) -> Option<&'static str> {
    let mut segments = path.split('/').filter(|segment| !segment.is_empty());
    let first = segments.next()?;
    let asked = if first == "api" { segments.next()? } else { first };
    NAMES.into_iter().find(|name| name.bytes().eq(asked.bytes().map(|byte| if byte == b'_' { b'-' } else { byte })))
}
