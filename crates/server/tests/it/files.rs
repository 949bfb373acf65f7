//! Padrones to import: the bundled sample, and a later version of it.

use kuraka_sandbox::sample;

/// A company in the next day's file that is not in the sample.
pub(crate) const NEW_COMPANY: &str = sample::ABSENT;

/// The sample with one more company.
pub(crate) fn next_day() -> Vec<u8> {
    let line = format!("{NEW_COMPANY}|EMPRESA NUEVA INVENTADA S.A.C.|ACTIVO|HABIDO|150101|AV.|GRAU|-|-|1|-|-|-|-|-|\n");
    [sample::PADRON, line.as_bytes()].concat()
}
