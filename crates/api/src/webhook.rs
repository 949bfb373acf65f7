//! The payload of a webhook, after the Standard Webhooks specification.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::FeedChangeRecord;
#[cfg(feature = "openapi")]
use crate::Schema;

/// The type of a delivery of changes.
pub const CHANGES: &str = "contribuyente.cambios";
/// The type of a test.
pub const TEST: &str = "prueba";

#[cfg(feature = "openapi")]
pub(crate) const EXAMPLE: &str = include_str!("../bodies/webhook.json").trim_ascii_end();
#[cfg(feature = "openapi")]
pub(crate) const SCHEMA: Schema = Schema::new::<WebhookRecord<'static>>();

/// Lo que se envía a la dirección de un aviso.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookRecord<'a> {
    /// `contribuyente.cambios`, o `prueba`, sin cambios.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schema(example = "contribuyente.cambios"))]
    pub kind: Cow<'a, str>,
    /// Cuándo se hizo el aviso.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub timestamp: Cow<'a, str>,
    /// Lo que cambió.
    pub data: WebhookData<'a>,
}

/// Los cambios de una publicación.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookData<'a> {
    /// La edición que trajo los cambios; nulo en una prueba.
    pub edicion: Option<Cow<'a, str>>,
    /// Hasta 100 cambios; si hay más, vienen en los avisos siguientes.
    pub cambios: Vec<FeedChangeRecord<'a>>,
}
