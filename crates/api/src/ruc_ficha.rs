//! `POST /ruc-ficha`: everything that the published files state about a taxpayer.

use std::borrow::Cow;

use kuraka_domain::{Date, ListMembership, OpenData, OperatingIncapacity, Ruc, Sanction, TaxpayerProfile};
use serde::{Deserialize, Serialize};

use crate::{Body, Operation, Playground, SummaryRecord, ruc};

/// The description of `POST /ruc-ficha`.
pub const OPERATION: Operation = Operation {
    aliases: &["ruc_ficha"],
    description: "Usa solo los archivos publicados por el Estado, sin consultar fuentes externas. Un conjunto de datos \
                  que falta aquí está en no_disponibles, y sus campos son null. Descuenta una consulta.",
    request: Some(Body { example: "{\n  \"ruc\": \"20999990038\"\n}", ..ruc::REQUEST }),
    playground: Some(Playground {
        title: "RUC, ficha",
        about: "De los archivos publicados: padrones, locales anexos, actividades, sanciones y capacidad operativa.",
        samples: &[ruc::KNOWN, ruc::DESCRIBED, ruc::SANCTIONED, ruc::UNKNOWN],
    }),
    ..ruc::lookup("ruc-ficha", "Ficha de un contribuyente", RESPONSE)
};

const RESPONSE: Body = Body::new::<ProfileRecord<'static>>(include_str!("../bodies/ruc_ficha_response.json"));

/// Todo lo que los archivos publicados dicen de un contribuyente.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProfileRecord<'a> {
    /// RUC de 11 dígitos.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9]{11}$", example = "20100119227"))]
    pub ruc: Ruc,
    /// Nombre o razón social.
    pub nombre_o_razon_social: Cow<'a, str>,
    /// Estado, como ACTIVO o BAJA DE OFICIO.
    pub estado: Cow<'a, str>,
    /// Condición del domicilio, como HABIDO o NO HALLADO.
    pub condicion: Cow<'a, str>,
    /// Dirección en una línea; vacía para personas naturales.
    pub direccion: Cow<'a, str>,
    /// Departamento; vacío si no hay dirección.
    pub departamento: Cow<'a, str>,
    /// SI o NO; vacío si no se usa esa lista.
    pub es_agente_de_retencion: Cow<'a, str>,
    /// SI o NO; vacío si no se usa esa lista.
    pub es_buen_contribuyente: Cow<'a, str>,
    /// Código de distrito del INEI; vacío si no se conoce.
    #[cfg_attr(feature = "openapi", schema(example = "150131"))]
    pub ubigeo: Cow<'a, str>,
    /// Provincia; vacía si no se conoce.
    pub provincia: Cow<'a, str>,
    /// Distrito; vacío si no se conoce.
    pub distrito: Cow<'a, str>,
    /// Dirección con distrito, provincia y departamento; vacía para personas naturales.
    pub direccion_completa: Cow<'a, str>,
    /// Padrones en los que está; null si ninguno está disponible.
    pub padrones: Option<Vec<ListRecord<'a>>>,
    /// Cuántos locales anexos tiene; sus direcciones están en /ruc-anexos.
    pub anexos: Option<AnnexCountRecord>,
    /// Lo que dicen los datos abiertos del mes, solo de personas jurídicas; null si no lo tienen.
    pub datos_abiertos: Option<OpenDataRecord<'a>>,
    /// La resolución que lo declaró sin capacidad operativa; null si no hay ninguna.
    pub sin_capacidad_operativa: Option<IncapacityRecord<'a>>,
    /// Sanciones para contratar con el Estado.
    pub sanciones: Option<Vec<SanctionRecord<'a>>>,
    /// Los archivos que respondieron.
    // A batch has both lists once, and not in each record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<SourceFileRecord>))]
    pub fuentes: Option<Vec<SourceFileRecord<'a>>>,
    /// Conjuntos de datos que faltan aquí: sus campos son null, y solo entonces null es "no se sabe".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub no_disponibles: Option<Vec<Cow<'a, str>>>,
}

/// Un padrón en el que está el contribuyente.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListRecord<'a> {
    /// Nombre del conjunto de datos.
    #[cfg_attr(feature = "openapi", schema(example = "retencion"))]
    pub codigo: Cow<'a, str>,
    /// Nombre del padrón.
    pub nombre: Cow<'a, str>,
    /// Primer día.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub desde: Option<Date>,
    /// La resolución; vacía si no se publica.
    pub resolucion: Cow<'a, str>,
}

/// Cuántos locales anexos.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnnexCountRecord {
    /// El total.
    pub total: usize,
}

/// Lo que dicen los datos abiertos.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OpenDataRecord<'a> {
    /// Mes de publicación, AAAA-MM.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9]{4}-[0-9]{2}$", example = "2026-10"))]
    pub periodo: Cow<'a, str>,
    /// Tipo de contribuyente, en mayúsculas y sin tildes.
    #[cfg_attr(feature = "openapi", schema(example = "SOCIEDAD ANONIMA"))]
    pub tipo_contribuyente: Cow<'a, str>,
    /// Descripciones de las actividades económicas, la principal primero.
    pub actividades_economicas: Vec<Cow<'a, str>>,
    /// Número de trabajadores.
    pub trabajadores: Option<u32>,
    /// Sistema de emisión.
    pub sistema_emision: Cow<'a, str>,
    /// Sistema de contabilidad.
    pub sistema_contabilidad: Cow<'a, str>,
    /// Actividad de comercio exterior.
    pub actividad_comercio_exterior: Cow<'a, str>,
}

/// La resolución que declara a un contribuyente sin capacidad operativa.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct IncapacityRecord<'a> {
    /// Número de la resolución.
    pub resolucion: Cow<'a, str>,
    /// Día de la resolución.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub fecha_resolucion: Option<Date>,
    /// Día desde el que está firme.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub firme_desde: Option<Date>,
}

/// Una sanción para contratar con el Estado.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SanctionRecord<'a> {
    /// DEFINITIVA o TEMPORAL.
    #[cfg_attr(feature = "openapi", schema(example = "TEMPORAL"))]
    pub tipo: Cow<'a, str>,
    /// Primer día.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub desde: Date,
    /// Último día; null si es definitiva.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub hasta: Option<Date>,
    /// El motivo, como se publica.
    pub motivo: Cow<'a, str>,
}

/// Un archivo publicado, y de cuándo es.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SourceFileRecord<'a> {
    /// Nombre del conjunto de datos.
    #[cfg_attr(feature = "openapi", schema(example = "padron"))]
    pub nombre: Cow<'a, str>,
    /// La edición.
    pub edicion: Cow<'a, str>,
    /// El día de su publicación.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub fecha: Date,
}

impl<'a> ProfileRecord<'a> {
    /// The record of a profile from these files, without these datasets.
    #[must_use]
    pub fn new(profile: &'a TaxpayerProfile, files: Vec<SourceFileRecord<'a>>, missing: Vec<Cow<'a, str>>) -> Self {
        Self { fuentes: Some(files), no_disponibles: Some(missing), ..Self::from(profile) }
    }
}

impl<'a> From<&'a TaxpayerProfile> for ProfileRecord<'a> {
    /// The record of a profile in a batch, without the files.
    fn from(profile: &'a TaxpayerProfile) -> Self {
        let taxpayer = &profile.summary;
        let SummaryRecord {
            ruc,
            nombre_o_razon_social,
            estado,
            condicion,
            direccion,
            departamento,
            es_agente_de_retencion,
            es_buen_contribuyente,
        } = SummaryRecord::from(taxpayer);
        let place = taxpayer.ubigeo;
        Self {
            ruc,
            nombre_o_razon_social,
            estado,
            condicion,
            direccion,
            departamento,
            es_agente_de_retencion,
            es_buen_contribuyente,
            ubigeo: place.map_or(Cow::Borrowed(""), |place| Cow::Owned(place.to_string())),
            provincia: Cow::Borrowed(place.and_then(|place| place.province()).unwrap_or_default()),
            distrito: Cow::Borrowed(place.and_then(|place| place.district()).unwrap_or_default()),
            direccion_completa: Cow::Owned(taxpayer.full_address()),
            padrones: profile.lists.as_ref().map(|lists| lists.iter().map(ListRecord::from).collect()),
            anexos: profile.annex_count.map(|total| AnnexCountRecord { total }),
            datos_abiertos: profile.open_data.as_ref().and_then(Option::as_deref).map(OpenDataRecord::from),
            sin_capacidad_operativa: profile
                .operating_incapacity
                .as_ref()
                .and_then(Option::as_ref)
                .map(IncapacityRecord::from),
            sanciones: profile.sanctions.as_ref().map(|sanctions| sanctions.iter().map(SanctionRecord::from).collect()),
            fuentes: None,
            no_disponibles: None,
        }
    }
}

impl<'a> From<&'a ListMembership> for ListRecord<'a> {
    fn from(list: &'a ListMembership) -> Self {
        Self {
            codigo: Cow::Borrowed(list.dataset),
            nombre: Cow::Borrowed(list.title),
            desde: list.since,
            resolucion: Cow::Borrowed(&list.resolution),
        }
    }
}

impl<'a> From<&'a OpenData> for OpenDataRecord<'a> {
    fn from(data: &'a OpenData) -> Self {
        let mut month = data.month.to_string();
        month.truncate("AAAA-MM".len());
        Self {
            periodo: Cow::Owned(month),
            tipo_contribuyente: Cow::Borrowed(&data.taxpayer_type),
            actividades_economicas: data
                .activities
                .iter()
                .map(|activity| Cow::Borrowed(&*activity.description))
                .collect(),
            trabajadores: data.workers,
            sistema_emision: Cow::Borrowed(&data.issuing_system),
            sistema_contabilidad: Cow::Borrowed(&data.accounting_system),
            actividad_comercio_exterior: Cow::Borrowed(&data.foreign_trade),
        }
    }
}

impl<'a> From<&'a OperatingIncapacity> for IncapacityRecord<'a> {
    fn from(incapacity: &'a OperatingIncapacity) -> Self {
        Self {
            resolucion: Cow::Borrowed(&incapacity.resolution),
            fecha_resolucion: incapacity.resolved,
            firme_desde: incapacity.final_since,
        }
    }
}

impl<'a> From<&'a Sanction> for SanctionRecord<'a> {
    fn from(sanction: &'a Sanction) -> Self {
        Self {
            tipo: Cow::Borrowed(if sanction.until.is_some() { "TEMPORAL" } else { "DEFINITIVA" }),
            desde: sanction.since,
            hasta: sanction.until,
            motivo: Cow::Borrowed(&sanction.reason),
        }
    }
}
