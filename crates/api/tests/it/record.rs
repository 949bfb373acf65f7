//! An envelope that is written by hand has the bytes that serde gives it.

use std::borrow::Cow;
use std::time::Duration;

use kuraka_api::record::write_envelope;
use kuraka_api::{Record, RucBatchRecord, RucItemRecord, SourceFileRecord, SummaryRecord, TaxpayerData};
use kuraka_domain::{Date, Envelope, ResultCode, Ruc, RucKind};
use proptest::prelude::*;

/// The bytes of an envelope by hand and by serde.
fn written(record: &impl Record, micros: u64) -> (String, String) {
    let envelope = Envelope::Found { data: record, time: Duration::from_micros(micros) };
    let mut by_hand = Vec::new();
    write_envelope(&mut by_hand, &envelope).unwrap();
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

proptest! {
    #[test]
    fn a_batch_has_the_bytes_that_serde_gives_it(
        texts in proptest::collection::vec((any::<bool>(), proptest::array::uniform7(text())), 0..8),
        files in proptest::option::of(text()),
    ) {
        let items = texts.iter().map(|(is_found, texts)| {
            let (ruc, message) = (Cow::Borrowed(&*texts[0]), Cow::Borrowed(&*texts[1]));
            let failed = RucItemRecord::failed(ruc, ResultCode::DocumentNotFound, message);
            let data = Some(TaxpayerData::Summary(record(texts, 7)));
            if *is_found { RucItemRecord { data, message: None, code: ResultCode::Found, ..failed } } else { failed }
        });
        let mut batch = RucBatchRecord::new("edition", items.collect());
        batch.no_disponibles = files.as_ref().map(|name| vec![Cow::Borrowed(&**name)]);
        batch.fuentes = files.as_ref().map(|name| {
            vec![SourceFileRecord { nombre: Cow::Borrowed(name), edicion: Cow::Borrowed("x"), fecha: Date::MIN }]
        });
        let (by_hand, by_serde) = written(&batch, 7);
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
