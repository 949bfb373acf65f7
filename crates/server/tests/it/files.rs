//! Padrones to import: the bundled sample, and the sample a day later.

use kuraka_sandbox::sample;

/// The company that the sample does not have and the next day's file has.
pub(crate) const NEW_COMPANY: &str = sample::ABSENT;

/// The sample with one more company.
pub(crate) fn next_day() -> Vec<u8> {
    let line = format!("{NEW_COMPANY}|EMPRESA NUEVA INVENTADA S.A.C.|ACTIVO|HABIDO|150101|AV.|GRAU|-|-|1|-|-|-|-|-|\n");
    [sample::PADRON, line.as_bytes()].concat()
}
