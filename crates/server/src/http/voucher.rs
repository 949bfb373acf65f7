//! `POST /cpe`: what the tax authority says of a voucher.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use kuraka_domain::{ResultCode, Ruc, VoucherNumber, VoucherSeries, VoucherValidation};
use kuraka_ports::{SourceError, SourceErrorKind};
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::{Answer, Failure, Provenance};
use super::call::Call;
use super::edge::RequestContext;
use super::{Api, edge, source_failure, voucher_fields};
use crate::metrics::Operation;

/// Lo que la SUNAT dice de un comprobante.
// Contract 2.4, in its order. What the source is silent about is empty.
#[derive(Serialize, ToSchema)]
pub(crate) struct VoucherRecord<'a> {
    /// RUC del emisor, como fue enviado.
    #[schema(value_type = String, pattern = "^[0-9]{11}$", example = "20999990062")]
    ruc_emisor: Ruc,
    /// Serie, como fue enviada.
    #[schema(value_type = String, example = "F001")]
    serie_documento: VoucherSeries,
    /// Número, como fue enviado.
    #[schema(value_type = String, example = "1")]
    numero_documento: VoucherNumber,
    /// 0 no existe, 1 aceptado, 2 anulado, 3 autorizado, 4 no autorizado; otros códigos pasan como son.
    #[schema(example = "1")]
    comprobante_estado_codigo: &'a str,
    /// El código en palabras; vacío si no está en la tabla.
    #[schema(example = "ACEPTADO")]
    comprobante_estado_descripcion: &'a str,
    /// Estado del emisor; vacío si la SUNAT no lo dice.
    #[schema(example = "ACTIVO")]
    empresa_estado_descripcion: &'a str,
    /// Condición del emisor; vacía si la SUNAT no la dice.
    #[schema(example = "HABIDO")]
    empresa_condicion_descripcion: &'a str,
    /// Observaciones, solo informativas.
    observaciones: &'a [String],
}

impl<'a> From<&'a VoucherValidation> for VoucherRecord<'a> {
    fn from(validation: &'a VoucherValidation) -> Self {
        Self {
            ruc_emisor: validation.issuer,
            serie_documento: validation.series,
            numero_documento: validation.number,
            comprobante_estado_codigo: validation.status.code(),
            comprobante_estado_descripcion: validation.status.text(),
            empresa_estado_descripcion: validation.issuer_status.as_ref().map_or("", |status| status.text()),
            empresa_condicion_descripcion: validation
                .issuer_condition
                .as_ref()
                .map_or("", |condition| condition.text()),
            observaciones: &validation.observations,
        }
    }
}

pub(crate) async fn voucher(request: HttpRequest, api: Data<Api>, payload: Payload) -> HttpResponse {
    edge::exchange(request, api, Operation::Voucher, async |exchange| {
        validate(exchange, payload).await.unwrap_or_else(|failure| *failure)
    })
    .await
}

async fn validate(exchange: &RequestContext, payload: Payload) -> Result<Answer, Failure> {
    let call = Call::admit(exchange, payload).await?;
    let voucher = voucher_fields::voucher(&call, &*exchange.api.clock)?;
    let answer = exchange.api.validate_voucher.run(&call.grant, voucher).await;
    let answer = answer.map_err(|error| Box::new(failed(&call, &error)))?;
    let provenance = Provenance { source: "official", status: source_failure::status(answer.freshness), edition: None };
    Ok(Answer::found(exchange, &call.grant, provenance, VoucherRecord::from(&answer.validation)))
}

fn failed(call: &Call, error: &SourceError) -> Answer {
    if error.kind != SourceErrorKind::Rejected {
        return source_failure::unavailable(call, error);
    }
    let message = match error.reason.as_deref().map(|reason| reason.trim_end_matches('.')) {
        Some(reason) => format!("El comprobante enviado no es válido, según la SUNAT: {reason}."),
        None => "El comprobante enviado no es válido, según la SUNAT.".to_owned(),
    };
    call.failed(ResultCode::InvalidInput).with_message(message)
}
