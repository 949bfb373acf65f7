/**
 * A client of a Kuraka server: RUC, vouchers and exchange rates of Peru. The operations, their fields and their codes are
 * documented at `/docs` of every server.
 *
 * @packageDocumentation
 */
export * from "./client.js";
export * from "./errors.js";
export * from "./records.js";
export * from "./ruc.js";
export * from "./webhook.js";
