//! An envelope that is written by hand has the bytes that serde gives it.

use std::borrow::Cow;
use std::time::Duration;

use kuraka_api::SummaryRecord;
use kuraka_api::record::write_envelope;
use kuraka_domain::{Envelope, Ruc, RucKind};
use proptest::prelude::*;

/// The bytes of an envelope by hand and by serde.
fn written(record: &SummaryRecord<'_>, micros: u64) -> (String, String) {
    let (mut by_hand, time) = (Vec::new(), Duration::from_micros(micros));
    write_envelope(&mut by_hand, time, |out| record.write(out)).unwrap();
    let envelope = Envelope::Found { data: record, time };
    (String::from_utf8(by_hand).unwrap(), serde_json::to_string(&envelope).unwrap())
}

fn record(texts: &[String; 7], body: u32) -> SummaryRecord<'_> {
    let [name, status, condition, address, department, agent, good] =
        texts.each_ref().map(|text| Cow::Borrowed(&**text));
    SummaryRecord {
        ruc: Ruc::from_parts(RucKind::LegalPerson, body).unwrap(),
        nombre_o_razon_social: name,
        estado: status,
        condicion: condition,
        direccion: address,
        departamento: department,
        es_agente_de_retencion: agent,
        es_buen_contribuyente: good,
    }
}

/// Texts as in the registry, and any others: quotes, backslashes, control characters, other scripts.
fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Z .]{0,60}", "[\u{0}-\u{ff}\"\\\\]{0,40}", any::<String>()]
}

proptest! {
    #[test]
    fn a_summary_has_the_bytes_that_serde_gives_it(
        texts in proptest::array::uniform7(text()),
        body in 0_u32..100_000_000,
        micros in prop_oneof![0_u64..200, 0_u64..20_000_000, 0_u64..1_000_000_000_000],
    ) {
        let (by_hand, by_serde) = written(&record(&texts, body), micros);
        prop_assert_eq!(by_hand, by_serde);
    }
}

#[test]
fn every_short_time_has_the_bytes_that_serde_gives_it() {
    let texts = Default::default();
    let record = record(&texts, 1);
    for micros in (0..20_000).chain((0..5_000).map(|step| step * 1_000)) {
        let (by_hand, by_serde) = written(&record, micros);
        assert_eq!(by_hand, by_serde);
    }
}
