// Calls every operation with the types that openapi-typescript generates, and handles every error by one type.

import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Failure = components["schemas"]["ErrorAnswer"];
type Code = components["schemas"]["ErrorCode"];

const [baseUrl, token] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
const stranger = createClient<paths>({ baseUrl });

const COMPANY = { ruc: "20999990038" };
const SANCTIONED = { ruc: "20999990755" };
const ABSENT = { ruc: "20999999990" };

let calls = 0;

/** The data of an answer that must be a success. */
function found<T extends { success: true }>(result: { data?: T; error?: Failure }): T {
  calls += 1;
  if (result.data === undefined) throw new Error(`${result.error?.code}: ${result.error?.message}`);
  return result.data;
}

/** The code of an answer that must be a failure. */
function failed(result: { data?: unknown; error?: Failure }): Code {
  calls += 1;
  if (result.error === undefined) throw new Error(`a success instead of an error: ${JSON.stringify(result.data)}`);
  const { success, code, retryable, message }: Failure = result.error;
  equal([success, retryable, message.length > 0], [false, code === "upstream_unavailable", true]);
  return code;
}

function equal(left: unknown, right: unknown): void {
  const [one, other] = [JSON.stringify(left), JSON.stringify(right)];
  if (one !== other) throw new Error(`${one} is not ${other}`);
}

const ofRuc = (path: typeof COMPANY) => ({ params: { path } });

const summary = found(await api.POST("/ruc", { body: COMPANY })).data;
equal(summary, found(await api.GET("/ruc/{ruc}", ofRuc(COMPANY))).data);
equal([summary.ruc, summary.departamento], [COMPANY.ruc, "PUNO"]);

const detail = found(await api.POST("/ruc-official", { body: COMPANY })).data;
equal(detail, found(await api.GET("/ruc-official/{ruc}", ofRuc(COMPANY))).data);
const since: string | null = detail.emision_electronica.desde;
const main: string | undefined = detail.actividades_economicas_detalle[0]?.ciiu;
equal([since, detail.fecha_baja, main], ["2018-05-25", null, "5610"]);

const profile = found(await api.POST("/ruc-ficha", { body: COMPANY })).data;
equal(profile, found(await api.GET("/ruc-ficha/{ruc}", ofRuc(COMPANY))).data);
equal([profile.datos_abiertos?.trabajadores, profile.sin_capacidad_operativa, profile.sanciones], [148, null, []]);

const annexes = found(await api.POST("/ruc-anexos", { body: COMPANY })).data;
equal(annexes, found(await api.GET("/ruc-anexos/{ruc}", ofRuc(COMPANY))).data);
equal([annexes.length, profile.anexos?.total, annexes[0]?.ubigeo], [3, 3, "150101"]);

const capacity = found(await api.POST("/ruc-ssco", { body: SANCTIONED })).data;
equal(capacity, found(await api.GET("/ruc-ssco/{ruc}", ofRuc(SANCTIONED))).data);
equal(capacity.sin_capacidad_operativa?.firme_desde, "2025-05-06");

const address = found(await api.POST("/ruc-domicilio-fiscal", { body: COMPANY })).data;
equal(address, found(await api.GET("/ruc-domicilio-fiscal/{ruc}", ofRuc(COMPANY))).data);
equal([address.ruc, address.ubigeo], [COMPANY.ruc, "210101"]);

const search: components["schemas"]["SearchRequest"] = { nombre: "molin", modo: "palabras", limite: 1 };
const page = found(await api.POST("/ruc-busqueda", { body: search })).data;
const last = found(await api.POST("/ruc-busqueda", { body: { ...search, cursor: page.siguiente } })).data;
const companies: string[] = [...page.resultados, ...last.resultados].map((company) => company.ruc);
equal([companies, last.siguiente], [["20999990062", "20140996549"], null]);
equal(found(await api.GET("/ubigeos", {})).data[0]?.ubigeo, "010101");

const voucher: components["schemas"]["VoucherRequest"] = {
  ruc_emisor: "20999990062",
  codigo_tipo_documento: "01",
  serie_documento: "F001",
  numero_documento: "1",
  fecha_de_emision: "2026-01-15",
  total: 118,
};
equal(found(await api.POST("/cpe", { body: voucher })).data.comprobante_estado_descripcion, "ACEPTADO");
equal(found(await api.POST("/cpe", { body: { ...voucher, total: "118.00" } })).data.comprobante_estado_codigo, "1");

const before = found(await api.GET("/usage", {})).data.consultas;
equal(before.limite, before.usadas + before.restantes);

const failures: Code[] = [
  failed(await api.POST("/ruc", { body: ABSENT })),
  failed(await api.GET("/ruc-official/{ruc}", ofRuc(ABSENT))),
  failed(await api.POST("/ruc-ficha", { body: ABSENT })),
  failed(await api.GET("/ruc-anexos/{ruc}", ofRuc(ABSENT))),
  failed(await api.POST("/ruc-domicilio-fiscal", { body: ABSENT })),
  failed(await api.POST("/ruc-ssco", { body: { ruc: "20999999991" } })),
  failed(await api.POST("/ruc-busqueda", { body: { nombre: "m" } })),
  failed(await api.POST("/cpe", { body: { ...voucher, serie_documento: "B001" } })),
  failed(await stranger.GET("/usage", {})),
];
equal(failures, [...Array(5).fill("document_not_found"), ...Array(3).fill("invalid_input"), "unauthenticated"]);
console.log(`TypeScript, ${baseUrl}: ${calls} calls`);
