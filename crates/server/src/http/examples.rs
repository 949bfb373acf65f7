//! Examples of the API, as they are sent and come back: texts, so that their fields keep the contract's order.

/// What asks for a taxpayer.
pub(super) const RUC: &str = r#"{
  "ruc": "20100119227"
}"#;

/// What asks about a voucher.
pub(super) const VOUCHER: &str = r#"{
  "ruc_emisor": "20999990062",
  "codigo_tipo_documento": "01",
  "serie_documento": "F001",
  "numero_documento": "1",
  "fecha_de_emision": "2026-01-15",
  "total": 118.00
}"#;

/// The answer of `POST /ruc`.
pub(super) const SUMMARY_FOUND: &str = r#"{
  "success": true,
  "code": "found",
  "retryable": false,
  "data": {
    "ruc": "20100119227",
    "nombre_o_razon_social": "3M PERU S A",
    "estado": "ACTIVO",
    "condicion": "HABIDO",
    "direccion": "AV. ENRIQUE CANAVAL Y MOREYRA NRO. 641 URB. EL PALOMAR",
    "departamento": "LIMA",
    "es_agente_de_retencion": "SI",
    "es_buen_contribuyente": "NO"
  },
  "time": 0.001522
}"#;

/// The answer of `POST /ruc-official`.
pub(super) const DETAIL_FOUND: &str = r#"{
  "success": true,
  "code": "found",
  "retryable": false,
  "data": {
    "ruc": "20999990330",
    "nombre_o_razon_social": "EMPRESA INVENTADA S.A.C.",
    "estado": "BAJA DEFINITIVA",
    "condicion": "HABIDO",
    "direccion_completa": "AV. UNO NRO. 1 - LIMA - LIMA - LIMA",
    "tipo_contribuyente": "SOCIEDAD ANONIMA CERRADA",
    "fecha_inscripcion": "2001-03-15",
    "actividades_economicas": [
      "OTRAS ACTIVID.DE TIPO SERVICIO NCP"
    ],
    "nombre_comercial": "",
    "fecha_inicio_actividades": "2001-03-15",
    "fecha_baja": "2022-06-22",
    "sistema_emision": "MANUAL",
    "actividad_comercio_exterior": "SIN ACTIVIDAD",
    "sistema_contabilidad": "MANUAL",
    "actividades_economicas_detalle": [
      {
        "tipo": "PRINCIPAL",
        "ciiu": "93098",
        "descripcion": "OTRAS ACTIVID.DE TIPO SERVICIO NCP"
      }
    ],
    "comprobantes_autorizados": [
      "FACTURA"
    ],
    "emision_electronica": {
      "sistemas": [],
      "desde": null,
      "comprobantes": [],
      "afiliado_ple_desde": null
    },
    "padrones": []
  },
  "time": 0.001522
}"#;

/// The answer of `POST /cpe`.
pub(super) const VOUCHER_FOUND: &str = r#"{
  "success": true,
  "code": "found",
  "retryable": false,
  "data": {
    "ruc_emisor": "20999990062",
    "serie_documento": "F001",
    "numero_documento": "1",
    "comprobante_estado_codigo": "1",
    "comprobante_estado_descripcion": "ACEPTADO",
    "empresa_estado_descripcion": "ACTIVO",
    "empresa_condicion_descripcion": "HABIDO",
    "observaciones": []
  },
  "time": 0.001522
}"#;

/// The answer of `GET /usage`.
pub(super) const USAGE_FOUND: &str = r#"{
  "success": true,
  "code": "found",
  "retryable": false,
  "data": {
    "plan": "free",
    "periodo": {
      "desde": "2026-11-01",
      "hasta": "2026-11-30"
    },
    "consultas": {
      "limite": 1000,
      "usadas": 7,
      "restantes": 993
    },
    "limite_por_segundo": 5
  },
  "time": 0.001522
}"#;
