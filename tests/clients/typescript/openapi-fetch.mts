// Calls with the types that openapi-typescript generates.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";
import { ABSENT, COMPANY, DAY, RATE_DAY, VOUCHER, baseUrl, say, token } from "./say.mjs";

const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

/** The data of an answer that must be a success, and no table. */
function found<T>(result: { data?: T; error?: components["schemas"]["ErrorAnswer"] }): Extract<T, { data: unknown }>["data"] {
  if (typeof result.data !== "object") throw new Error(result.error?.message);
  return (result.data as Extract<T, { data: unknown }>).data;
}

const company = found(await api.POST("/ruc", { body: { ruc: COMPANY } }));
say("ruc", company.ruc, company.departamento, company.condicion);
const profile = found(await api.GET("/ruc-ficha/{ruc}", { params: { path: { ruc: COMPANY } } }));
say("ficha", profile.datos_abiertos?.trabajadores, profile.sin_capacidad_operativa);
const day = found(await api.POST("/ruc-historial", { body: { ruc: COMPANY, fecha: DAY } })).en_fecha;
say("historial", day?.fecha, day?.condicion);
const rucs = [COMPANY, { ruc: COMPANY, fecha: DAY }, ABSENT];
const items = found(await api.POST("/ruc-multiple", { body: { rucs } })).resultados;
say("multiple", ...items.map((item) => [item.code, item.data?.condicion]));
const search: components["schemas"]["SearchRequest"] = { nombre: "molin", modo: "palabras", limite: 1 };
const page = found(await api.POST("/ruc-busqueda", { body: search }));
const next = found(await api.POST("/ruc-busqueda", { body: { ...search, cursor: page.siguiente } }));
say("busqueda", ...[...page.resultados, ...next.resultados].map((it) => [it.ruc]));
const number = found(await api.POST("/cpe", { body: VOUCHER }));
const text = found(await api.POST("/cpe", { body: { ...VOUCHER, total: "118.00" } }));
say("cpe", ...[number, text].map((it) => [it.comprobante_estado_codigo, it.comprobante_estado_descripcion]));
const rate = found(await api.GET("/tipo-de-cambio/{fecha}", { params: { path: { fecha: RATE_DAY } } }));
say("tipo-de-cambio", rate.fecha_busqueda, rate.compra, rate.venta, rate.fecha_cierre);
const absent = (await api.POST("/ruc", { body: { ruc: ABSENT } })).error;
say("absent", absent?.code, absent?.retryable);
const invalid = (await api.POST("/cpe", { body: { ...VOUCHER, serie_documento: "B001" } })).error;
say("invalid", invalid?.code, invalid?.retryable);
say("stranger", (await createClient<paths>({ baseUrl }).GET("/usage", {})).error?.code);
