// Runs one case of the table: the call is on the standard input, the argument is the package to import.
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";

const [, , name, format] = process.argv;
const kuraka = format === "cjs" ? createRequire(`${process.cwd()}/`)(name) : await import(name);
const { call, arguments: given, options, repeat, at = 0 } = JSON.parse(await text(process.stdin));
const { ruc, fecha, mes, secret, headers, body, now } = given;

const calls = {
  ruc_historial: (client) => client.rucHistorial(ruc, fecha),
  ruc_busqueda: (client) => client.rucBusqueda(given),
  ruc_multiple: (client) => client.rucMultiple(given.rucs, { ficha: given.ficha }),
  cpe: (client) => client.cpe(given.comprobante),
  cpe_multiple: (client) => client.cpeMultiple(given.comprobantes),
  seguimiento: (client) => client.seguimiento(given.agregar, given.quitar),
  cambios: (client) => client.cambios(given),
  tipo_de_cambio: (client) => client.tipoDeCambio(fecha),
  tipo_de_cambio_mes: (client) => client.tipoDeCambioMes(mes),
};

async function value() {
  const method = call.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  if (call.endsWith("_webhook")) return (await kuraka[method](secret, headers, body, now)) ?? null;
  const client = new kuraka.Kuraka({ timeout: options.timeout, maxRetries: options.max_retries });
  const values = [];
  for (let left = repeat ?? 1; left > 0; left--) values.push(await result(client, method));
  return repeat ? values : values[0];
}

async function result(client, method) {
  const found = await (calls[call] ?? ((client) => client[method](ruc)))(client);
  if (!found?.[Symbol.asyncIterator]) return found;
  const items = [];
  for await (const item of found) items.push(item);
  return items;
}

await new Promise((done) => setTimeout(done, at * 1000 - Date.now()));
try {
  console.log(JSON.stringify({ value: await value() }));
} catch (error) {
  if (!(error instanceof kuraka.KurakaError)) throw error;
  const { code, message, retryable, status, requestId, retryAfter, details } = error;
  const connection = error instanceof kuraka.KurakaConnectionError;
  const found = { code, message, retryable, status, request_id: requestId, retry_after: retryAfter, details, connection };
  console.log(JSON.stringify({ error: found }));
}
