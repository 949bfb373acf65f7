//! Status and condition, as frequent as in the published file and cut at 20 characters as there.
//!
//! The statuses have the shares published for August 2026. The shares of the conditions are a guess around the one
//! known figure: most taxpayers are found.

use super::random::{Random, total};

/// Per million rows.
const STATUSES: &[(u32, &str)] = &[
    (508_300, "ACTIVO"),
    (401_500, "BAJA DE OFICIO"),
    (61_900, "BAJA DEFINITIVA"),
    (17_000, "SUSPENSION TEMPORAL"),
    (9_000, "BAJA MULT.INSCR. Y O"),
    (2_000, "BAJA PROV. POR OFICI"),
    (110, "ANULACION - ERROR SU"),
    (60, "BAJA PROVISIONAL"),
    (40, "INHABILITADO-VENT.UN"),
    (40, "PENDIENTE DE INI. DE"),
    (20, "OTROS OBLIGADOS"),
    (10, "NUM. INTERNO IDENTIF"),
    (10, "ANUL.PROVI.-ACTO ILI"),
    (10, "ANULACION - ACTO ILI"),
];

/// Per million rows.
const CONDITIONS: &[(u32, &str)] = &[
    (900_000, "HABIDO"),
    (52_000, "NO HABIDO"),
    (20_000, "NO HALLADO"),
    (9_000, "PENDIENTE"),
    (6_000, "NO HALLADO SE MUDO D"),
    (4_000, "NO HALLADO NO EXISTE"),
    (3_000, "NO HALLADO OTROS MOT"),
    (2_000, "NO HALLADO NRO.PUERT"),
    (1_000, "NO HALLADO DESTINATA"),
    (1_000, "POR VERIFICAR"),
    (700, "NO HALLADO CERRADO"),
    (600, "-"),
    (300, "NO HALLADO RECHAZADO"),
    (300, "NO APLICABLE"),
    (100, "NO HALLADO FALLECIO"),
];

const _: () = assert!(total(STATUSES) == 1_000_000 && total(CONDITIONS) == 1_000_000);
const _: () = assert!(are_cut(STATUSES) && are_cut(CONDITIONS));

/// Whether no text is longer than the 20 bytes to which the published file cuts its texts.
const fn are_cut(items: &[(u32, &str)]) -> bool {
    let mut left = items;
    while let [(_, text), rest @ ..] = left {
        if text.len() > 20 {
            return false;
        }
        left = rest;
    }
    true
}

/// A taxpayer's status and condition.
pub(crate) fn draw(random: &mut Random) -> (&'static str, &'static str) {
    (random.weighted(STATUSES), random.weighted(CONDITIONS))
}

/// A status other than `status`.
pub(crate) fn draw_other(random: &mut Random, status: &str) -> &'static str {
    loop {
        let other = random.weighted(STATUSES);
        if other != status {
            return other;
        }
    }
}
