//! Every record parses its example and serialises to the same bytes.

use kuraka_api::{
    AnnexesRecord, ChangesRequest, DetailRecord, DistrictsRecord, ExchangeRateData, ExchangeRateRequest, FeedRecord,
    FiscalAddressRecord, OperatingCapacityRecord, Operation, ProfileRecord, RucBatchRecord, RucBatchRequest,
    RucRequest, SearchRecord, SearchRequest, SummaryRecord, UsageRecord, VoucherBatchRecord, VoucherBatchRequest,
    VoucherRecord, VoucherRequest, WatchChangeRecord, WatchListRecord, WatchRequest,
};
use kuraka_api::{cambios, cpe_multiple, ruc_multiple, seguimiento, tipo_de_cambio, ubigeos, usage};
use kuraka_api::{cpe, ruc, ruc_anexos, ruc_busqueda, ruc_domicilio_fiscal, ruc_ficha, ruc_official, ruc_ssco};
use kuraka_domain::Envelope;
use serde::{Deserialize, Serialize};

/// Every operation.
pub(crate) const OPERATIONS: [&Operation; 16] = [
    &ruc::OPERATION,
    &ruc_official::OPERATION,
    &cpe::OPERATION,
    &ruc_multiple::OPERATION,
    &cpe_multiple::OPERATION,
    &ruc_busqueda::OPERATION,
    &ruc_ficha::OPERATION,
    &ruc_anexos::OPERATION,
    &ruc_ssco::OPERATION,
    &ruc_domicilio_fiscal::OPERATION,
    &ubigeos::OPERATION,
    &usage::OPERATION,
    &tipo_de_cambio::OPERATION,
    &seguimiento::CHANGE,
    &seguimiento::LIST,
    &cambios::OPERATION,
];

fn reads_and_writes_back<'a, T: Serialize + Deserialize<'a>>(example: &'a str) {
    let record: T = serde_json::from_str(example).expect(example);
    assert_eq!(serde_json::to_string_pretty(&record).expect("it serialises"), example);
}

#[test]
fn requests_round_trip() {
    reads_and_writes_back::<RucRequest>(ruc::OPERATION.request.expect("a body").example);
    reads_and_writes_back::<RucRequest>(ruc_official::OPERATION.request.expect("a body").example);
    reads_and_writes_back::<RucBatchRequest>(ruc_multiple::OPERATION.request.expect("a body").example);
    reads_and_writes_back::<VoucherBatchRequest>(cpe_multiple::OPERATION.request.expect("a body").example);
    reads_and_writes_back::<SearchRequest>(ruc_busqueda::OPERATION.request.expect("a body").example);
    reads_and_writes_back::<WatchRequest>(seguimiento::CHANGE.request.expect("a body").example);
    reads_and_writes_back::<ExchangeRateRequest>(tipo_de_cambio::OPERATION.request.expect("a body").example);
    reads_and_writes_back::<ChangesRequest>(cambios::OPERATION.request.expect("a body").example);
    reads_and_writes_back::<VoucherRequest>(cpe::OPERATION.request.expect("a body").example);
}

#[test]
fn answers_round_trip() {
    reads_and_writes_back::<Envelope<SummaryRecord>>(ruc::OPERATION.response.example);
    reads_and_writes_back::<Envelope<DetailRecord>>(ruc_official::OPERATION.response.example);
    reads_and_writes_back::<Envelope<VoucherRecord>>(cpe::OPERATION.response.example);
    reads_and_writes_back::<Envelope<RucBatchRecord>>(ruc_multiple::OPERATION.response.example);
    reads_and_writes_back::<Envelope<VoucherBatchRecord>>(cpe_multiple::OPERATION.response.example);
    reads_and_writes_back::<Envelope<SearchRecord>>(ruc_busqueda::OPERATION.response.example);
    reads_and_writes_back::<Envelope<FiscalAddressRecord>>(ruc_domicilio_fiscal::OPERATION.response.example);
    reads_and_writes_back::<Envelope<DistrictsRecord>>(ubigeos::OPERATION.response.example);
    reads_and_writes_back::<Envelope<ProfileRecord>>(ruc_ficha::OPERATION.response.example);
    reads_and_writes_back::<Envelope<AnnexesRecord>>(ruc_anexos::OPERATION.response.example);
    reads_and_writes_back::<Envelope<OperatingCapacityRecord>>(ruc_ssco::OPERATION.response.example);
    reads_and_writes_back::<Envelope<WatchChangeRecord>>(seguimiento::CHANGE.response.example);
    reads_and_writes_back::<Envelope<WatchListRecord>>(seguimiento::LIST.response.example);
    reads_and_writes_back::<Envelope<FeedRecord>>(cambios::OPERATION.response.example);
    reads_and_writes_back::<Envelope<ExchangeRateData>>(tipo_de_cambio::OPERATION.response.example);
    reads_and_writes_back::<Envelope<UsageRecord>>(usage::OPERATION.response.example);
}

#[test]
fn a_rate_is_a_number_with_exactly_three_decimals() {
    let month = |data: &str| serde_json::from_str::<ExchangeRateData>(data);
    let record = r#"{"fecha_busqueda":"2026-09-06","fecha_sunat":"2026-09-06","moneda":"USD","compra":3.360,"venta":4.000,"fecha_cierre":null,"fuente":"SUNAT"}"#;
    let two = format!("[{record},{record}]");
    assert_eq!(serde_json::to_string(&month(&two).expect(&two)).expect("it serialises"), two);
    for other in ["3.3601", "\"3.360\"", "0", "-3.360", "1e9"] {
        assert!(month(&record.replace("3.360", other)).is_err(), "{other}");
    }
}
