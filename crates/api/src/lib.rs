//! The API's contract: records, operations, and the OpenAPI document.

#![doc = include_str!("../README.md")]

pub mod cambios;
pub mod cpe;
pub mod cpe_multiple;
pub mod legacy;
#[cfg(feature = "openapi")]
pub mod llms_txt;
pub mod mass_validator;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod operation;
pub mod record;
pub mod ruc;
pub mod ruc_anexos;
pub mod ruc_busqueda;
pub mod ruc_domicilio_fiscal;
pub mod ruc_ficha;
pub mod ruc_historial;
pub mod ruc_multiple;
pub mod ruc_official;
pub mod ruc_ssco;
pub mod schema;
pub mod seguimiento;
pub mod spanish;
pub mod table_row;
pub mod tipo_de_cambio;
#[cfg(feature = "openapi")]
pub mod tools;
pub mod ubigeos;
pub mod usage;
mod voucher_fields;
pub mod webhook;

pub use cambios::{ChangesRequest, FeedChangeRecord, FeedRecord};
pub use cpe::{VoucherRecord, VoucherRequest};
pub use cpe_multiple::{VoucherBatchRecord, VoucherBatchRequest, VoucherItemRecord};
pub use operation::{Batch, Body, CodeDescription, Method, Operation, Playground, Sample};
pub use ruc::{RucRequest, SummaryRecord};
pub use ruc_anexos::{AnnexRecord, AnnexesRecord};
pub use ruc_busqueda::{SearchRecord, SearchRequest};
pub use ruc_domicilio_fiscal::FiscalAddressRecord;
pub use ruc_ficha::{
    AnnexCountRecord, IncapacityRecord, ListRecord, OpenDataRecord, ProfileRecord, SanctionRecord, SourceFileRecord,
};
pub use ruc_multiple::{RucBatchRecord, RucBatchRequest, RucItemRecord, TaxpayerData};
pub use ruc_official::{ActivityRecord, DetailRecord, ElectronicRecord};
pub use ruc_ssco::OperatingCapacityRecord;
pub use schema::Schema;
pub use seguimiento::{InvalidRucRecord, WatchChangeRecord, WatchListRecord, WatchRequest, WatchedRecord};
pub use tipo_de_cambio::{ExchangeRateData, ExchangeRateRecord, ExchangeRateRequest, RateNumber};
pub use ubigeos::{DistrictRecord, DistrictsRecord};
pub use usage::{ListsRecord, PeriodRecord, QueriesRecord, UsageRecord};
pub use voucher_fields::{VoucherForm, read_voucher};
pub use webhook::{WebhookData, WebhookRecord};
