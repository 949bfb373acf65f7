// The peer with Fastify and better-sqlite3: `POST /ruc` from the database that load.js made.
//
// NODE_ENV=production DATABASE=… DEPARTMENTS=… ADDRESS=HOST:PORT node app.js

import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import Fastify from "fastify";

const DEPARTMENTS = JSON.parse(readFileSync(process.env.DEPARTMENTS, "utf8"));

const database = new Database(process.env.DATABASE, { readonly: true });
database.pragma("mmap_size = 4294967296");
const tokens = database.prepare("SELECT digest FROM token").pluck().all();
const query = database.prepare(`
  SELECT *, EXISTS (SELECT 1 FROM retencion r WHERE r.ruc = p.ruc) AS retencion,
         EXISTS (SELECT 1 FROM buen_contribuyente b WHERE b.ruc = p.ruc) AS buen_contribuyente
  FROM padron p WHERE ruc = ?`);

const text = { type: "string" };
const taxpayer = {
  type: "object",
  properties: {
    ruc: text, nombre_o_razon_social: text, estado: text, condicion: text, direccion: text, departamento: text,
    es_agente_de_retencion: text, es_buen_contribuyente: text,
  },
};
const schema = {
  body: { type: "object", required: ["ruc"], properties: { ruc: { type: "string", pattern: "^\\d{11}$" } } },
  response: {
    200: {
      type: "object",
      properties: {
        success: { type: "boolean" }, code: text, retryable: { type: "boolean" }, data: taxpayer, time: { type: "number" },
      },
    },
  },
};

const failure = (code, message) => ({ success: false, code, retryable: false, message });

function clean(value) {
  const cleaned = value.replace(/\s+/g, " ").trim();
  // Hyphens alone stand for no value.
  return /^-*$/.test(cleaned) ? "" : cleaned;
}

function address(row) {
  const columns = [
    ["", row.tipo_via], ["", row.nombre_via], ["NRO. ", row.numero], ["INT. ", row.interior], ["DPTO. ", row.dpto],
    ["MZA. ", row.manzana], ["LOTE. ", row.lote], ["KM. ", row.kilometro], ["", row.codigo_zona], ["", row.tipo_zona],
  ];
  const parts = [];
  for (const [prefix, column] of columns) {
    const value = clean(column);
    if (value) parts.push(prefix + value);
  }
  return parts.join(" ");
}

const app = Fastify();

app.setErrorHandler((error, _request, reply) =>
  error.validation
    ? reply.code(400).send(failure("invalid_input", "El RUC no es válido"))
    : reply.code(500).send(failure("internal_error", "Error interno")));

async function authenticate(request, reply) {
  const [scheme, token] = (request.headers.authorization ?? "").split(" ");
  const digest = createHash("sha256").update(token ?? "").digest();
  if (scheme !== "Bearer" || !tokens.some((known) => timingSafeEqual(digest, known))) {
    return reply.code(401).send(failure("unauthorized", "El token no es válido"));
  }
}

app.post("/ruc", { schema, onRequest: authenticate }, async (request, reply) => {
  const started = performance.now();
  const row = query.get(Number(request.body.ruc));
  if (!row) return reply.code(404).send(failure("document_not_found", "El RUC no existe"));
  return {
    success: true,
    code: "found",
    retryable: false,
    data: {
      ruc: request.body.ruc,
      nombre_o_razon_social: clean(row.nombre),
      estado: clean(row.estado),
      condicion: clean(row.condicion),
      direccion: address(row),
      departamento: DEPARTMENTS[Number(row.ubigeo.slice(0, 2)) - 1] ?? "",
      es_agente_de_retencion: row.retencion ? "SI" : "NO",
      es_buen_contribuyente: row.buen_contribuyente ? "SI" : "NO",
    },
    time: (performance.now() - started) / 1000,
  };
});

const [host, port] = process.env.ADDRESS.split(":");
await app.listen({ host, port: Number(port) });
