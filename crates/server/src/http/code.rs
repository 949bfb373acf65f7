//! HTTP status and default Spanish message of each result code.

use actix_web::http::StatusCode;
use kuraka_api::CodeDescription;
use kuraka_domain::ResultCode;
use kuraka_ports::AccountStatus;

pub(crate) const fn status(code: ResultCode) -> StatusCode {
    match code {
        ResultCode::Found => StatusCode::OK,
        ResultCode::InvalidInput | ResultCode::DateNotCovered | ResultCode::CursorExpired => StatusCode::BAD_REQUEST,
        ResultCode::Unauthenticated => StatusCode::UNAUTHORIZED,
        ResultCode::Forbidden | ResultCode::WatchLimitExceeded => StatusCode::FORBIDDEN,
        ResultCode::DocumentNotFound | ResultCode::RouteNotFound => StatusCode::NOT_FOUND,
        ResultCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        ResultCode::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ResultCode::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ResultCode::RateLimited | ResultCode::QuotaExceeded => StatusCode::TOO_MANY_REQUESTS,
        ResultCode::UpstreamUnavailable | ResultCode::ServiceUnavailable => StatusCode::SERVICE_UNAVAILABLE,
        ResultCode::InternalError => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// What is wrong, and what the caller can do.
pub(crate) const fn message(code: ResultCode) -> &'static str {
    match code {
        ResultCode::Found => "Consulta exitosa.",
        ResultCode::InvalidInput => "Los datos enviados no son válidos.",
        ResultCode::DateNotCovered => "El historial no cubre la fecha. cubierto tiene los períodos que cubre.",
        ResultCode::CursorExpired => {
            "El registro de cambios no llega sin huecos hasta ahí. desde es la primera fecha que se puede pedir."
        }
        ResultCode::Unauthenticated => {
            "El token falta o no es válido. Envíe el encabezado Authorization: Bearer <token> con un token vigente."
        }
        ResultCode::Forbidden => {
            "La cuenta está suspendida o sin confirmar, o el token no se puede usar desde esta dirección."
        }
        ResultCode::WatchLimitExceeded => "Su plan no permite seguir tantos RUC: no se cambió nada.",
        ResultCode::DocumentNotFound => "El RUC no existe.",
        ResultCode::RouteNotFound => {
            "La ruta de la dirección no existe en este servicio; no dice nada de un RUC. Revise la dirección."
        }
        ResultCode::MethodNotAllowed => "El método no está permitido en esta ruta.",
        ResultCode::PayloadTooLarge => {
            "El cuerpo supera lo permitido: 4 KiB, 64 KiB en una lista, 512 KiB en /seguimiento."
        }
        ResultCode::UnsupportedMediaType => {
            "El cuerpo debe ser JSON. Envíe el encabezado Content-Type: application/json."
        }
        ResultCode::RateLimited => {
            "Superó la velocidad de su plan. Espere los segundos que indica Retry-After y reintente."
        }
        // Word for word: programs of the original interface look for it.
        ResultCode::QuotaExceeded => "Ha superado la cantidad de consultas mensuales",
        ResultCode::UpstreamUnavailable => "La fuente de consulta no está disponible. Reintente en unos segundos.",
        ResultCode::ServiceUnavailable => "El servicio no está disponible por el momento. Reintente en unos segundos.",
        ResultCode::InternalError => "Ocurrió un error interno. Reintente en unos segundos.",
    }
}

/// The descriptions of all codes, for the documents.
pub(crate) fn descriptions() -> Vec<CodeDescription> {
    let describe = |code| CodeDescription { code, status: status(code).as_u16(), message: message(code) };
    ResultCode::ALL.into_iter().map(describe).collect()
}

/// A page's code in metrics and logs.
pub(crate) fn from_status(status: StatusCode) -> ResultCode {
    match status {
        StatusCode::UNAUTHORIZED => ResultCode::Unauthenticated,
        StatusCode::FORBIDDEN => ResultCode::Forbidden,
        StatusCode::NOT_FOUND => ResultCode::RouteNotFound,
        StatusCode::METHOD_NOT_ALLOWED => ResultCode::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => ResultCode::PayloadTooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ResultCode::UnsupportedMediaType,
        StatusCode::TOO_MANY_REQUESTS => ResultCode::RateLimited,
        StatusCode::SERVICE_UNAVAILABLE => ResultCode::ServiceUnavailable,
        status if status.is_server_error() => ResultCode::InternalError,
        status if status.is_client_error() => ResultCode::InvalidInput,
        _ => ResultCode::Found,
    }
}

/// The message to an account that may not call.
pub(super) const fn inactive_message(status: AccountStatus) -> &'static str {
    match status {
        AccountStatus::Unconfirmed => {
            "El correo de la cuenta no está confirmado. Abra el enlace que le enviamos; si ya no lo tiene, cree la cuenta \
             otra vez en el panel con el mismo correo."
        }
        AccountStatus::Active | AccountStatus::Suspended => {
            "La cuenta está suspendida. Comuníquese con el operador del servicio."
        }
    }
}
