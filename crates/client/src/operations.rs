//! The operations of the API.

use std::collections::VecDeque;

use kuraka_api as api;
use kuraka_api::ruc_historial::HistoryRecord;
use kuraka_domain::{Date, Ruc};
use serde::Serialize;
use serde_json::json;

use crate::client::{Call, Kuraka, REMOTE};
use crate::error::Result;
use crate::results::{Rest, Results};

impl Kuraka {
    /// A taxpayer's summary.
    ///
    /// # Errors
    /// Any but `document_not_found`, as of all lookups.
    pub async fn ruc(&self, ruc: Ruc) -> Result<Option<api::SummaryRecord<'static>>> {
        self.look_up(Call::post("/ruc", json!({ "ruc": ruc }))).await
    }

    /// A taxpayer's detail from SUNAT's page, from a provider, or from open data.
    ///
    /// # Errors
    /// As [`Kuraka::ruc`].
    pub async fn ruc_official(&self, ruc: Ruc) -> Result<Option<api::DetailRecord<'static>>> {
        self.look_up(Call { timeout: REMOTE, ..Call::post("/ruc-official", json!({ "ruc": ruc })) }).await
    }

    /// All that the published files say about a taxpayer.
    ///
    /// # Errors
    /// As [`Kuraka::ruc`].
    pub async fn ruc_ficha(&self, ruc: Ruc) -> Result<Option<api::ProfileRecord<'static>>> {
        self.look_up(Call::post("/ruc-ficha", json!({ "ruc": ruc }))).await
    }

    /// A taxpayer's other premises; an empty list if there are none.
    ///
    /// # Errors
    /// As [`Kuraka::ruc`].
    pub async fn ruc_anexos(&self, ruc: Ruc) -> Result<Option<Vec<api::AnnexRecord<'static>>>> {
        self.look_up(Call::post("/ruc-anexos", json!({ "ruc": ruc }))).await
    }

    /// Whether a taxpayer was declared without operating capacity.
    ///
    /// # Errors
    /// As [`Kuraka::ruc`].
    pub async fn ruc_ssco(&self, ruc: Ruc) -> Result<Option<api::OperatingCapacityRecord<'static>>> {
        self.look_up(Call::post("/ruc-ssco", json!({ "ruc": ruc }))).await
    }

    /// A company's fiscal address in parts.
    ///
    /// # Errors
    /// As [`Kuraka::ruc`].
    pub async fn ruc_domicilio_fiscal(&self, ruc: Ruc) -> Result<Option<api::FiscalAddressRecord<'static>>> {
        self.look_up(Call::post("/ruc-domicilio-fiscal", json!({ "ruc": ruc }))).await
    }

    /// A taxpayer's recorded changes, and what it was on a day.
    ///
    /// # Errors
    /// As [`Kuraka::ruc`].
    pub async fn ruc_historial(&self, ruc: Ruc, fecha: Option<Date>) -> Result<Option<HistoryRecord<'static>>> {
        self.look_up(Call::post("/ruc-historial", json!({ "ruc": ruc, "fecha": fecha }))).await
    }

    /// Companies by name, page after page of `limite` as they are read. A page costs one query.
    pub fn ruc_busqueda(&self, request: &api::SearchRequest<'_>) -> Results<'_, api::SummaryRecord<'static>> {
        self.results(Rest::Page(Some(Call::post("/ruc-busqueda", request)), |call, data| {
            let page: api::SearchRecord<'static> = serde_json::from_value(data)?;
            Ok((page.resultados, page.siguiente.map(|cursor| call.with("cursor", cursor))))
        }))
    }

    /// Any number of RUCs: a result for each, in order. `ficha`: with all of [`Kuraka::ruc_ficha`].
    ///
    /// An item is a text, a [`Ruc`], or a [`RucOnDay`](kuraka_api::ruc_multiple::RucOnDay).
    pub fn ruc_multiple(&self, rucs: &[impl Serialize], ficha: bool) -> Results<'_, api::RucItemRecord<'static>> {
        let rucs = rucs.iter().map(|ruc| json!(ruc)).collect();
        self.results(Rest::Items(Call::post("/ruc-multiple", json!({ "ficha": ficha })), "rucs", rucs))
    }

    /// What SUNAT says about a voucher. "Does not exist" is a result too.
    ///
    /// # Errors
    /// Any.
    pub async fn cpe(&self, voucher: &api::VoucherRequest<'_>) -> Result<api::VoucherRecord<'static>> {
        Ruc::parse(&voucher.ruc_emisor)?;
        self.call(&Call { timeout: REMOTE, ..Call::post("/cpe", voucher) }).await
    }

    /// Any number of vouchers: a result for each, in order.
    pub fn cpe_multiple(&self, vouchers: &[api::VoucherRequest<'_>]) -> Results<'_, api::VoucherItemRecord<'static>> {
        let vouchers = vouchers.iter().map(|voucher| json!(voucher)).collect();
        let call = Call { timeout: REMOTE, ..Call::post("/cpe-multiple", json!({})) };
        self.results(Rest::Items(call, "comprobantes", vouchers))
    }

    /// Adds RUCs to the account's watch list and removes others, up to 1,000 of each.
    ///
    /// # Errors
    /// Any.
    pub async fn seguimiento(&self, request: &api::WatchRequest<'_>) -> Result<api::WatchChangeRecord<'static>> {
        let cost = request.agregar.as_ref().map_or(0, Vec::len);
        self.call(&Call { cost, ..Call::post("/seguimiento", request) }).await
    }

    /// The account's watch list.
    pub fn seguimiento_lista(&self) -> Results<'_, api::WatchedRecord<'static>> {
        self.results(Rest::Page(Some(Call::get("/seguimiento")), |_, data| {
            let page: api::WatchListRecord<'static> = serde_json::from_value(data)?;
            Ok((page.rucs, page.siguiente.map(|cursor| Call::get(format!("/seguimiento?cursor={cursor}")))))
        }))
    }

    /// Pages of changes since a cursor or a day, until there are no more, or the cursor does not advance.
    /// Begin later at the last `siguiente`.
    pub fn cambios(&self, request: &api::ChangesRequest<'_>) -> Results<'_, api::FeedRecord<'static>> {
        self.results(Rest::Page(Some(Call::post("/cambios", request)), |call, data| {
            let page: api::FeedRecord<'static> = serde_json::from_value(data)?;
            let next = call.with("desde", &page.siguiente);
            // A server without the cursor's edition returns the same cursor.
            let has_more = !page.al_dia && next.body != call.body;
            Ok((vec![page], has_more.then_some(next)))
        }))
    }

    /// The exchange rate of a day, by default of today.
    ///
    /// # Errors
    /// Any.
    pub async fn tipo_de_cambio(&self, fecha: Option<Date>) -> Result<api::ExchangeRateRecord<'static>> {
        self.call(&Call::post("/tipo-de-cambio", json!({ "fecha": fecha }))).await
    }

    /// The exchange rates of the known days of a month (`YYYY-MM`).
    ///
    /// # Errors
    /// Any.
    pub async fn tipo_de_cambio_mes(&self, mes: &str) -> Result<Vec<api::ExchangeRateRecord<'static>>> {
        self.call(&Call::post("/tipo-de-cambio", json!({ "mes": mes }))).await
    }

    /// The districts of Peru. Costs nothing.
    ///
    /// # Errors
    /// Any.
    pub async fn ubigeos(&self) -> Result<Vec<api::DistrictRecord<'static>>> {
        self.call(&Call::get("/ubigeos")).await
    }

    /// The plan, its limits and the queries left. Costs nothing.
    ///
    /// # Errors
    /// Any.
    pub async fn usage(&self) -> Result<api::UsageRecord<'static>> {
        self.call(&Call::get("/usage")).await
    }

    const fn results<T>(&self, rest: Rest<T>) -> Results<'_, T> {
        Results { client: self, rest, ready: VecDeque::new() }
    }
}
