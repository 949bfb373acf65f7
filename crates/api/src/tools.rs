//! The tools that agents call over the Model Context Protocol. Each is one or more operations: their fields, records and
//! codes, with a text that says when to call it.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// The most RUCs of `consultar_lista`.
pub const MAX_LIST: usize = 100;

const SCHEMAS: &str = "#/components/schemas/";
/// Of an operation in the OpenAPI document.
const REQUEST: &str = "requestBody/content/application~1json/schema/$ref";
const RESPONSE: &str = "responses/200/content/application~1json/schema";

/// A tool.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// The name by which it is called.
    pub name: &'static str,
    title: &'static str,
    description: &'static str,
    /// A call is the call of one of these, see [`Tool::operation`].
    operations: &'static [&'static str],
    /// The operation that describes a field, the field, and a text of its own if it needs one; none = every field of the
    /// operation.
    fields: &'static [(&'static str, &'static str, &'static str)],
    /// Whether a source outside of this server answers.
    is_open_world: bool,
}

/// In the order in which they are listed.
pub const TOOLS: [Tool; 5] = [
    Tool {
        name: "consultar_ruc",
        title: "Consultar un RUC",
        description: "Dice quién es un contribuyente del Perú por su RUC de 11 dígitos: nombre, estado, condición y \
                      dirección, según la copia propia de los archivos que publica la SUNAT. Úsela para saber si un RUC \
                      existe, está ACTIVO y HABIDO. Con ficha trae también padrones, sanciones y datos de la empresa; con \
                      fecha, cómo era ese día. No la use con un nombre (buscar_empresa), con un DNI ni con varios RUC \
                      (consultar_lista). Una llamada gasta una consulta del plan.",
        operations: &["ruc", "ruc-ficha", "ruc-historial"],
        fields: &[
            ("ruc-historial", "ruc", ""),
            ("ruc-historial", "fecha", "Un día pasado, AAAA-MM-DD; si falta, hoy. No con ficha."),
            ("ruc-multiple", "ficha", "true para todo lo que dicen los archivos publicados; si no, el resumen."),
        ],
        is_open_world: false,
    },
    Tool {
        name: "buscar_empresa",
        title: "Buscar una empresa por su nombre",
        description: "Busca empresas del Perú por su razón social y devuelve sus RUC, las activas primero. Úsela cuando no \
                      sabe el RUC. No encuentra personas naturales ni nombres comerciales; con un RUC use consultar_ruc. Que \
                      no haya resultados no prueba que la empresa no exista: pruebe con menos palabras o con modo contiene. \
                      Cada página gasta una consulta del plan.",
        operations: &["ruc-busqueda"],
        fields: &[],
        is_open_world: false,
    },
    Tool {
        name: "validar_comprobante",
        title: "Validar un comprobante de pago",
        description: "Pregunta a la SUNAT en el momento si una factura, boleta o nota electrónica existe y vale, y el estado \
                      de su emisor. Úsela antes de pagar o registrar un comprobante, con sus seis datos exactos. No la use \
                      para buscar comprobantes ni con datos supuestos: con un dato distinto la SUNAT dice NO EXISTE. Puede \
                      tardar diez segundos y gasta una consulta del plan.",
        operations: &["cpe"],
        fields: &[],
        is_open_world: true,
    },
    Tool {
        name: "consultar_lista",
        title: "Consultar varios RUC",
        description: "Consulta de 1 a 100 RUC a la vez, con una respuesta por RUC en el mismo orden y todas de la misma \
                      edición. Úsela con más de un RUC, en vez de repetir consultar_ruc. No la use con más de 100: reparta la \
                      lista. Cada RUC gasta una consulta del plan; si no alcanzan, no se gasta ninguna.",
        operations: &["ruc-multiple"],
        fields: &[(
            "ruc-multiple",
            "rucs",
            "De 1 a 100 RUC de 11 dígitos, o {ruc, fecha} para saber cómo era uno ese día.",
        )],
        is_open_world: false,
    },
    Tool {
        name: "tipo_de_cambio",
        title: "Tipo de cambio del dólar",
        description: "El tipo de cambio del dólar, compra y venta en soles, que la SUNAT publica para un día o para cada día \
                      de un mes. Úsela para declarar o convertir importes a la fecha de un comprobante. No la use para otras \
                      monedas ni para días futuros. Gasta una consulta del plan.",
        operations: &["tipo-de-cambio"],
        fields: &[("tipo-de-cambio", "fecha", ""), ("tipo-de-cambio", "mes", "")],
        is_open_world: false,
    },
];

impl Tool {
    /// The tool with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    /// The name of the operation that answers a call with these arguments, which are its body.
    ///
    /// # Errors
    /// The message for the caller, in Spanish: the operation's own rules do not cover what is wrong.
    pub fn operation(&self, arguments: &Value) -> Result<&'static str, String> {
        let has = |name| arguments.get(name).is_some_and(|value| !value.is_null());
        let count = arguments.get("rucs").and_then(Value::as_array).map_or(0, Vec::len);
        if self.name == "consultar_lista" && count > MAX_LIST {
            return Err(format!("La lista rucs debe tener de 1 a {MAX_LIST} elementos, y tiene {count}. Repártala."));
        }
        let is_whole = match arguments.get("ficha").filter(|_| self.operations.len() > 1) {
            None | Some(Value::Null) => false,
            Some(Value::Bool(is_whole)) => *is_whole,
            Some(_) => return Err("El campo ficha debe ser true o false.".to_owned()),
        };
        match (self.operations, has("fecha")) {
            (&[_, _, on_day], true) if !is_whole => Ok(on_day),
            (&[_, _, _], true) => Err("Envíe el campo ficha o el campo fecha, no los dos.".to_owned()),
            (&[_, whole, _], false) if is_whole => Ok(whole),
            (&[first, ..], _) => Ok(first),
            (&[], _) => Err(format!("La herramienta {} no hace nada.", self.name)),
        }
    }

    /// What `tools/list` says of it, with schemas from the OpenAPI `document`.
    fn definition(&self, document: &Value) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for operation in self.operations.iter().copied().chain(self.fields.iter().map(|(operation, ..)| *operation)) {
            let request = document.pointer(&format!("/paths/~1{operation}/post/{REQUEST}"));
            let name = request.and_then(Value::as_str).and_then(|reference| reference.strip_prefix(SCHEMAS));
            let Some(schema) = name.and_then(|name| document.pointer(&format!("/components/schemas/{name}"))) else {
                continue;
            };
            let needs = |field: &str| {
                schema
                    .get("required")
                    .is_some_and(|names| names.as_array().is_some_and(|names| names.iter().any(|name| name == field)))
            };
            for (field, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let own = self.fields.iter().find(|(of, name, _)| *of == operation && name == field);
                if own.is_none() && !self.fields.is_empty() {
                    continue;
                }
                let mut property = property.clone();
                if let (Some((.., text)), Some(property)) =
                    (own.filter(|(.., text)| !text.is_empty()), property.as_object_mut())
                {
                    property.insert("description".to_owned(), (*text).into());
                }
                if let Some(most) = property.get_mut("maxItems") {
                    *most = MAX_LIST.into();
                }
                if needs(field) && !required.contains(field) {
                    required.push(field.clone());
                }
                properties.insert(field.clone(), property);
            }
        }
        let input = json!({"type": "object", "properties": properties, "required": required});
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": with_definitions(document, input),
            "outputSchema": with_definitions(document, self.output(document)),
            "annotations": {
                "title": self.title,
                "readOnlyHint": true,
                "destructiveHint": false,
                "idempotentHint": true,
                "openWorldHint": self.is_open_world,
            },
        })
    }

    /// The operations' answers, each with what an agent needs besides.
    fn output(&self, document: &Value) -> Value {
        let answer = |name: &&str| document.pointer(&format!("/paths/~1{name}/post/{RESPONSE}")).cloned();
        let mut answers: Vec<_> = self.operations.iter().filter_map(answer).collect();
        answers.push(json!({ "$ref": format!("{SCHEMAS}ErrorAnswer") }));
        json!({
            "type": "object",
            "properties": {
                "edicion": {"type": ["string", "null"], "description": "La edición de los datos que respondieron."},
                "fecha": {"type": ["string", "null"], "format": "date", "description":
                    "El día de los datos: el de la edición; de un comprobante, el de la consulta a la SUNAT."},
                "ausencia_probada": {"type": "boolean", "description":
                    "true = lo consultado no existe. false con un error = no se pudo averiguar."},
                "retry_after": {"type": "integer", "description": "Con retryable: segundos de espera."},
            },
            "required": ["edicion", "fecha", "ausencia_probada"],
            "anyOf": answers,
        })
    }
}

/// The answer to `tools/list`, with schemas from the OpenAPI `document`.
#[must_use]
pub fn definitions(document: &Value) -> Vec<Value> {
    TOOLS.iter().map(|tool| tool.definition(document)).collect()
}

/// A schema with all that it refers to.
fn with_definitions(document: &Value, mut schema: Value) -> Value {
    let mut found = Map::new();
    let mut names = BTreeSet::new();
    rewrite(&mut schema, &mut names);
    while let Some(name) = names.pop_first() {
        if found.contains_key(&name) {
            continue;
        }
        let mut definition = document.pointer(&format!("/components/schemas/{name}")).cloned().unwrap_or_default();
        rewrite(&mut definition, &mut names);
        found.insert(name, definition);
    }
    if let (Some(fields), false) = (schema.as_object_mut(), found.is_empty()) {
        fields.insert("$defs".to_owned(), found.into());
    }
    schema
}

/// Makes references local, collects their names, and leaves out what a validator of JSON Schema does not know.
fn rewrite(schema: &mut Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get_mut("$ref")
                && let Some(name) = reference.strip_prefix(SCHEMAS)
            {
                names.insert(name.to_owned());
                *reference = format!("#/$defs/{name}");
            }
            // The operations' own formats, and those of number types.
            if fields.get("format").is_some_and(|format| format.is_string() && format != "date") {
                fields.remove("format");
            }
            // A field of this name is an object.
            if fields.get("example").is_some_and(|example| !example.is_object()) {
                fields.remove("example");
            }
            fields.values_mut().for_each(|value| rewrite(value, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rewrite(item, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
