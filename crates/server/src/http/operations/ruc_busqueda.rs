//! `POST /ruc-busqueda`: companies by name.

use std::borrow::Cow;

use actix_web::dev::Payload;
use kuraka_api::{SearchRecord, SummaryRecord, ruc_busqueda};
use kuraka_app::{SearchError, SearchFields};
use kuraka_domain::ResultCode;
use kuraka_panel::search_field_error;

use crate::http::admission::CheckedRequest;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup;
use crate::http::response::{ApiResponse, Failure};

/// Seconds to wait without an index of names: the operator must change something.
const RETRY_AFTER: u64 = 300;
const NO_INDEX: &str = "La edición del padrón de este servicio no tiene el índice de nombres, así que no se puede \
                        buscar. La consulta no se descontó.";

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ruc_busqueda::OPERATION, registry_lookup::CALLS, |context, payload| {
        Box::pin(search(context, payload))
    });

async fn search(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let (request, call) = CheckedRequest::admit(context, payload).await?;
    let fields = request.fields()?;
    let text = |name| fields.text_if_any(name);
    let limit = fields.has("limite").then(|| fields.number("limite")).transpose()?;
    let name = fields.text("nombre")?;
    let (mode, status, condition) = (text("modo")?, text("estado")?, text("condicion")?);
    let (department, cursor) = (text("departamento")?, text("cursor")?);
    let fields = SearchFields {
        name: &name,
        mode: mode.as_deref(),
        status: status.as_deref(),
        condition: condition.as_deref(),
        department: department.as_deref(),
        limit: limit.as_deref(),
        cursor: cursor.as_deref(),
    };
    let query = fields.query().map_err(|error| ApiResponse::invalid(search_field_error(&error)))?;
    let answer = request.instance.lookup_taxpayer.search(call, query).map_err(|error| match error {
        SearchError::Registry(error) => registry_lookup::failed(request.instance, &error),
        SearchError::NoIndex => {
            let failure = ApiResponse::new(ResultCode::ServiceUnavailable);
            Box::new(failure.retry_after(RETRY_AFTER).with_message(NO_INDEX))
        }
    })?;
    let record = SearchRecord {
        edicion: Cow::Borrowed(&answer.edition.label),
        resultados: answer.taxpayers.iter().map(SummaryRecord::from).collect(),
        siguiente: answer.cursor.as_deref().map(Cow::Borrowed),
    };
    let provenance = registry_lookup::provenance("registry", &answer.edition);
    Ok(ApiResponse::with_data(context.took(), &record).with_provenance(provenance))
}
