// Reads answers with the schemas that orval generates for zod, and checks what is sent with them.
import * as schemas from "./orval/zod.js";
import { ABSENT, COMPANY, DAY, RATE_DAY, VOUCHER, baseUrl, say, token } from "./say.mjs";

/** The answer; a body is checked by its schema. */
async function call(path: string, body?: object, headers = { Authorization: `Bearer ${token}` } as HeadersInit) {
  const json = { "Content-Type": "application/json" };
  const sent = body && { method: "POST", body: JSON.stringify(body), headers: { ...headers, ...json } };
  return (await fetch(new URL(path, baseUrl), sent ?? { headers })).json();
}

const company = schemas.rucResponse.parse(await call("/ruc", schemas.rucBody.parse({ ruc: COMPANY }))).data;
say("ruc", company.ruc, company.departamento, company.condicion);
const profile = schemas.rucFichaGetResponse.parse(await call(`/ruc-ficha/${COMPANY}`)).data;
say("ficha", profile.datos_abiertos?.trabajadores, profile.sin_capacidad_operativa && "?");
const asked = schemas.rucHistorialBody.parse({ ruc: COMPANY, fecha: DAY });
const day = schemas.rucHistorialResponse.parse(await call("/ruc-historial", asked)).data.en_fecha;
say("historial", day?.fecha, day?.condicion);
const list = schemas.rucMultipleBody.parse({ rucs: [COMPANY, { ruc: COMPANY, fecha: DAY }, ABSENT] });
const items = schemas.rucMultipleResponse.parse(await call("/ruc-multiple", list)).data.resultados;
say("multiple", ...items.map((item) => [item.code, item.data?.condicion]));
const search = schemas.rucBusquedaBody.parse({ nombre: "molin", modo: "palabras", limite: 1 });
const page = schemas.rucBusquedaResponse.parse(await call("/ruc-busqueda", search)).data;
const rest = await call("/ruc-busqueda", { ...search, cursor: page.siguiente });
const next = schemas.rucBusquedaResponse.parse(rest).data;
say("busqueda", ...[...page.resultados, ...next.resultados].map((it) => [it.ruc]));
const number = schemas.cpeResponse.parse(await call("/cpe", schemas.cpeBody.parse(VOUCHER))).data;
const sent = schemas.cpeBody.parse({ ...VOUCHER, total: "118.00" });
const text = schemas.cpeResponse.parse(await call("/cpe", sent)).data;
say("cpe", ...[number, text].map((it) => [it.comprobante_estado_codigo, it.comprobante_estado_descripcion]));
const rate = schemas.tipoDeCambioGetResponse.parse(await call(`/tipo-de-cambio/${RATE_DAY}`)).data;
say("tipo-de-cambio", rate.fecha_busqueda, rate.compra, rate.venta, rate.fecha_cierre);
// It generates schemas of answers with data only.
const absent = await call("/ruc", { ruc: ABSENT });
say("absent", absent.code, absent.retryable);
const invalid = await call("/cpe", { ...VOUCHER, serie_documento: "B001" });
say("invalid", invalid.code, invalid.retryable);
say("stranger", (await call("/usage", undefined, {})).code);
