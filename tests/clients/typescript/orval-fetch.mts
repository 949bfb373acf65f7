// Calls with the client that orval generates. It has no base address: a program says how it fetches.
import { cpe, ruc, rucBusqueda, rucFichaGet, rucHistorial, rucMultiple, tipoDeCambioGet, usage } from "./orval/fetch.js";
import { ABSENT, COMPANY, DAY, RATE_DAY, VOUCHER, baseUrl, say, token } from "./say.mjs";

const { fetch } = globalThis;
globalThis.fetch = (path, options) => fetch(new URL(String(path), baseUrl), options);
const as = { headers: { Authorization: `Bearer ${token}` } };

/** The data of an answer that must be a success. */
function found<T extends { status: number }>(result: T): Extract<T, { status: 200 }> {
  if (result.status !== 200) throw new Error(JSON.stringify(result));
  return result as Extract<T, { status: 200 }>;
}

const company = found(await ruc({ ruc: COMPANY }, as)).data.data;
say("ruc", company.ruc, company.departamento, company.condicion);
const profile = found(await rucFichaGet(COMPANY, as)).data.data;
say("ficha", profile.datos_abiertos?.trabajadores, profile.sin_capacidad_operativa && "?");
const day = found(await rucHistorial({ ruc: COMPANY, fecha: DAY }, as)).data.data.en_fecha;
say("historial", day?.fecha, day?.condicion);
const items = found(await rucMultiple({ rucs: [COMPANY, { ruc: COMPANY, fecha: DAY }, ABSENT] }, as)).data;
if (typeof items === "string" || items instanceof Blob) throw new Error("a table");
say("multiple", ...items.data.resultados.map((item) => [item.code, item.data?.condicion]));
const search = { nombre: "molin", modo: "palabras" as const, limite: 1 };
const page = found(await rucBusqueda(search, as)).data.data;
const next = found(await rucBusqueda({ ...search, cursor: page.siguiente }, as)).data.data;
say("busqueda", ...[...page.resultados, ...next.resultados].map((it) => [it.ruc]));
const number = found(await cpe(VOUCHER, as)).data.data;
const text = found(await cpe({ ...VOUCHER, total: "118.00" }, as)).data.data;
say("cpe", ...[number, text].map((it) => [it.comprobante_estado_codigo, it.comprobante_estado_descripcion]));
const rate = found(await tipoDeCambioGet(RATE_DAY, as)).data;
if (typeof rate === "string" || rate instanceof Blob) throw new Error("a table");
say("tipo-de-cambio", rate.data.fecha_busqueda, rate.data.compra, rate.data.venta, rate.data.fecha_cierre);
const absent = await ruc({ ruc: ABSENT }, as);
if (absent.status === 404) say("absent", absent.data.code, absent.data.retryable);
const invalid = await cpe({ ...VOUCHER, serie_documento: "B001" }, as);
if (invalid.status === 400) say("invalid", invalid.data.code, invalid.data.retryable);
const stranger = await usage();
if (stranger.status === 401) say("stranger", stranger.data.code);
