//! A padrón with the sample's taxpayers and generated ones.

use kuraka_generators::padron::Padron;
use kuraka_sandbox::sample;

/// The rows of the sample, and this many generated rows.
pub(crate) fn padron_of(rows: u32) -> Vec<u8> {
    let generated = Padron::new(rows, 7).to_text();
    let header = generated.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    [sample::PADRON, &generated[header..]].concat()
}
