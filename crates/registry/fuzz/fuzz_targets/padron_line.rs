//! Arbitrary bytes between two good lines: the import succeeds and the two lines are imported.
#![no_main]

mod importing;

use kuraka_domain::{Ruc, RucKind};
use libfuzzer_sys::fuzz_target;

const HEADER: &[u8] = b"RUC|NOMBRE O RAZ\xd3N SOCIAL|ESTADO DEL CONTRIBUYENTE|CONDICI\xd3N DE DOMICILIO|UBIGEO|\
TIPO DE V\xcdA|NOMBRE DE V\xcdA|C\xd3DIGO DE ZONA|TIPO DE ZONA|N\xdaMERO|INTERIOR|LOTE|DEPARTAMENTO|MANZANA|\
KIL\xd3METRO|\n";

fuzz_target!(|data: &[u8]| {
    let company = |n| Ruc::from_parts(RucKind::LegalPerson, n).unwrap();
    let row = |ruc: Ruc| format!("{ruc}|EMPRESA|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|\n");
    let (first, last) = (company(11_111_111), company(99_999_999));
    let padron = [HEADER, row(first).as_bytes(), data, b"\n", row(last).as_bytes()].concat();
    let (_folder, report, edition) = importing::imported(&padron).unwrap();
    let name = |ruc| edition.summary(ruc).unwrap().unwrap().name;
    assert_eq!(name(first), "EMPRESA");
    // A fuzzed line may have the RUC of the last one; the first line with a RUC wins.
    assert!(!name(last).is_empty());
    assert_eq!(edition.rucs().filter(Result::is_ok).count() as u64, report.rows);
});
