// Calls with the client that openapi-generator generates for typescript-fetch.
import { ComprobantesApi, Configuration, ContribuyentesApi, CuentaApi, ResponseError, TablasApi } from "./typescript-fetch/index.js";
import type { ErrorAnswer } from "./typescript-fetch/index.js";
import { ErrorAnswerFromJSON, VoucherRequestFromJSON } from "./typescript-fetch/index.js";
import { ABSENT, COMPANY, DAY, RATE_DAY, VOUCHER, baseUrl, say, token } from "./say.mjs";

const configuration = new Configuration({ basePath: baseUrl, accessToken: token });
const taxpayers = new ContribuyentesApi(configuration);
const vouchers = new ComprobantesApi(configuration);

async function failed(call: Promise<unknown>): Promise<ErrorAnswer> {
  const failure = await call.catch((error) => error);
  if (!(failure instanceof ResponseError)) throw failure;
  return ErrorAnswerFromJSON(await failure.response.json());
}

const date = (day: Date | null | undefined) => day?.toISOString().slice(0, 10);

const company = (await taxpayers.ruc({ rucRequest: { ruc: COMPANY } })).data;
say("ruc", company.ruc, company.departamento, company.condicion);
const profile = (await taxpayers.rucFichaGet({ ruc: COMPANY })).data;
say("ficha", profile.datosAbiertos?.trabajadores, profile.sinCapacidadOperativa && "?");
const onDay = { ruc: COMPANY, fecha: new Date(DAY) };
const day = (await taxpayers.rucHistorial({ historyRequest: onDay })).data.enFecha;
say("historial", date(day?.fecha), day?.condicion);
const items = (await taxpayers.rucMultiple({ rucBatchRequest: { rucs: [COMPANY, onDay, ABSENT] } })).data.resultados;
say("multiple", ...items.map((item) => [item.code, item.data?.condicion]));
const search = { nombre: "molin", modo: "palabras" as const, limite: 1 };
const page = (await taxpayers.rucBusqueda({ searchRequest: search })).data;
const next = (await taxpayers.rucBusqueda({ searchRequest: { ...search, cursor: page.siguiente } })).data;
say("busqueda", ...[...page.resultados, ...next.resultados].map((it) => [it.ruc]));
const voucherRequest = VoucherRequestFromJSON(VOUCHER);
const number = (await vouchers.cpe({ voucherRequest })).data;
const text = (await vouchers.cpe({ voucherRequest: { ...voucherRequest, total: "118.00" } })).data;
say("cpe", ...[number, text].map((it) => [it.comprobanteEstadoCodigo, it.comprobanteEstadoDescripcion]));
const rate = (await new TablasApi(configuration).tipoDeCambioGet({ fecha: RATE_DAY })).data;
say("tipo-de-cambio", date(rate.fechaBusqueda), rate.compra, rate.venta, date(rate.fechaCierre));
const absent = await failed(taxpayers.ruc({ rucRequest: { ruc: ABSENT } }));
say("absent", absent.code, absent.retryable);
const invalid = await failed(vouchers.cpe({ voucherRequest: { ...voucherRequest, serieDocumento: "B001" } }));
say("invalid", invalid.code, invalid.retryable);
say("stranger", (await failed(new CuentaApi(new Configuration({ basePath: baseUrl })).usage())).code);
