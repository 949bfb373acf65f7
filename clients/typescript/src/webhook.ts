import { KurakaError } from "./errors.js";
import type { WebhookRecord } from "./records.js";

const TOLERANCE = 5 * 60;

/** Headers of a request, as servers of Node.js and browsers have them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/**
 * Verifies a webhook as the Standard Webhooks specification says: signed with the secret, at most five minutes old.
 *
 * @param body The body as it arrived, byte for byte.
 * @param now Seconds since 1970.
 * @throws {KurakaError} `webhook_invalid`
 */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  now = Date.now() / 1000,
): Promise<void> {
  const [id, sent, signatures] = ["id", "timestamp", "signature"].map((name) => header(headers, `webhook-${name}`));
  if (!id || !/^[0-9]+$/.test(sent ?? "")) throw invalid("faltan sus encabezados");
  if (Math.abs(now - Number(sent)) > TOLERANCE) throw invalid("su fecha difiere en más de cinco minutos");
  const text = new TextEncoder();
  const content = typeof body === "string" ? text.encode(body) : body;
  const signed = new Uint8Array([...text.encode(`${id}.${sent}.`), ...content]);
  const { subtle } = globalThis.crypto ?? (await nodeCrypto());
  const key = await subtle.importKey("raw", keyBytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  for (const signature of (signatures ?? "").split(" ")) {
    const bytes = signature.startsWith("v1,") ? fromBase64(signature.slice(3)) : null;
    // In constant time.
    if (bytes && (await subtle.verify("HMAC", key, bytes, signed))) return;
  }
  throw invalid("la firma no es de este secreto");
}

/** Verifies a webhook as {@link verifyWebhook} does, and returns what it says. */
export async function readWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  now?: number,
): Promise<WebhookRecord> {
  await verifyWebhook(secret, headers, body, now);
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) as WebhookRecord;
}

function header(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : found?.join(" ");
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.replace(/^whsec_/, ""));
  if (!key?.length) throw invalid("el secreto está vacío o no es base64");
  return key;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Node.js 18 has no global `crypto`. A name that bundlers for browsers do not follow. */
async function nodeCrypto(): Promise<Crypto> {
  const name = "node:crypto";
  return ((await import(name)) as { webcrypto: Crypto }).webcrypto;
}

function invalid(reason: string): KurakaError {
  return new KurakaError("webhook_invalid", `El aviso no es auténtico: ${reason}.`);
}
