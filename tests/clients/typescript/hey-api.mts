// Calls with the client that @hey-api/openapi-ts generates.
import { client } from "./hey/client.gen.js";
import { cpe, ruc, rucBusqueda, rucFichaGet, rucHistorial, rucMultiple, tipoDeCambioGet, usage } from "./hey/sdk.gen.js";
import { ABSENT, COMPANY, DAY, RATE_DAY, VOUCHER, baseUrl, say, token } from "./say.mjs";

client.setConfig({ baseUrl, auth: token });
const throwOnError = true as const;

const company = (await ruc({ body: { ruc: COMPANY }, throwOnError })).data.data;
say("ruc", company.ruc, company.departamento, company.condicion);
const profile = (await rucFichaGet({ path: { ruc: COMPANY }, throwOnError })).data.data;
say("ficha", profile.datos_abiertos?.trabajadores, profile.sin_capacidad_operativa && "?");
const day = (await rucHistorial({ body: { ruc: COMPANY, fecha: DAY }, throwOnError })).data.data.en_fecha;
say("historial", day?.fecha, day?.condicion);
const rucs = [COMPANY, { ruc: COMPANY, fecha: DAY }, ABSENT];
const items = (await rucMultiple({ body: { rucs }, throwOnError })).data.data.resultados;
say("multiple", ...items.map((item) => [item.code, item.data?.condicion]));
const search = { nombre: "molin", modo: "palabras" as const, limite: 1 };
const page = (await rucBusqueda({ body: search, throwOnError })).data.data;
const next = (await rucBusqueda({ body: { ...search, cursor: page.siguiente }, throwOnError })).data.data;
say("busqueda", ...[...page.resultados, ...next.resultados].map((it) => [it.ruc]));
const number = (await cpe({ body: VOUCHER, throwOnError })).data.data;
const text = (await cpe({ body: { ...VOUCHER, total: "118.00" }, throwOnError })).data.data;
say("cpe", ...[number, text].map((it) => [it.comprobante_estado_codigo, it.comprobante_estado_descripcion]));
const rate = (await tipoDeCambioGet({ path: { fecha: RATE_DAY }, throwOnError })).data.data;
say("tipo-de-cambio", rate.fecha_busqueda, rate.compra, rate.venta, rate.fecha_cierre);
const absent = (await ruc({ body: { ruc: ABSENT } })).error;
say("absent", absent?.code, absent?.retryable);
const invalid = (await cpe({ body: { ...VOUCHER, serie_documento: "B001" } })).error;
say("invalid", invalid?.code, invalid?.retryable);
client.setConfig({ baseUrl, auth: undefined });
say("stranger", (await usage()).error?.code);
