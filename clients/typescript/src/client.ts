import { KurakaConnectionError, KurakaError } from "./errors.js";
import type * as records from "./records.js";
import { VERSION } from "./records.js";
import { isValidRuc } from "./ruc.js";

/** The settings of a client. */
export interface KurakaOptions {
  /** By default, the variable `KURAKA_TOKEN`. */
  token?: string;
  /** By default, the variable `KURAKA_URL`. */
  baseUrl?: string;
  /** In seconds; by default 10, or 40 for what SUNAT answers. */
  timeout?: number;
  /** 2 by default. Waiting for the plan's rate does not count. */
  maxRetries?: number;
}

/** A call of the API. `cost` is the number of queries that it may cost. */
interface Request {
  path: string;
  body?: object;
  cost?: number;
  timeout?: number;
}

interface Lookup {
  ruc: string;
  fecha?: string | undefined;
}

type Item = records.RucItemRecord | records.VoucherItemRecord;
type Sent = records.RucItem | records.VoucherInBatch;

const LOCAL = 10;
const REMOTE = 40;
const LONGEST_WAIT = 60;
const RATE_LIMITED_RETRIES = 8;
const INVALID_RUC = "El RUC no es válido: debe tener 11 dígitos y el dígito verificador que les corresponde.";

/**
 * A client, with one method for each operation of the API, named after it.
 *
 * Lookups return null only if a source says that the RUC does not exist. What could not be found out rejects with
 * {@link KurakaError}.
 */
export class Kuraka {
  readonly #baseUrl: string;
  readonly #headers: Record<string, string>;
  readonly #timeout: number | undefined;
  readonly #maxRetries: number;
  #limits: records.ListsRecord | undefined;

  constructor(options: KurakaOptions = {}) {
    const token = (options.token || variable("KURAKA_TOKEN") || "").trim();
    this.#baseUrl = (options.baseUrl || variable("KURAKA_URL") || "").replace(/\/+$/, "");
    if (!token || !this.#baseUrl) {
      throw new KurakaError("invalid_input", "Falta el token o la dirección: KURAKA_TOKEN, KURAKA_URL.");
    }
    this.#headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    // A browser has its own, and would first ask the server whether it may send another.
    if (environment()) this.#headers["user-agent"] = `kuraka-typescript/${VERSION}`;
    this.#timeout = options.timeout;
    this.#maxRetries = options.maxRetries ?? 2;
  }

  /** A taxpayer's summary. */
  ruc(ruc: string): Promise<records.SummaryRecord | null> {
    return this.#lookUp("/ruc", { ruc });
  }

  /** A taxpayer's detail from SUNAT's page, from a provider, or from open data. */
  rucOfficial(ruc: string): Promise<records.DetailRecord | null> {
    return this.#lookUp("/ruc-official", { ruc }, REMOTE);
  }

  /** All that the published files say about a taxpayer. */
  rucFicha(ruc: string): Promise<records.ProfileRecord | null> {
    return this.#lookUp("/ruc-ficha", { ruc });
  }

  /** A taxpayer's other premises; an empty list if there are none. */
  rucAnexos(ruc: string): Promise<records.AnnexRecord[] | null> {
    return this.#lookUp("/ruc-anexos", { ruc });
  }

  /** Whether a taxpayer was declared without operating capacity. */
  rucSsco(ruc: string): Promise<records.OperatingCapacityRecord | null> {
    return this.#lookUp("/ruc-ssco", { ruc });
  }

  /** A company's fiscal address in parts. */
  rucDomicilioFiscal(ruc: string): Promise<records.FiscalAddressRecord | null> {
    return this.#lookUp("/ruc-domicilio-fiscal", { ruc });
  }

  /** A taxpayer's recorded changes, and what it was on a day (`YYYY-MM-DD`). */
  rucHistorial(ruc: string, fecha?: string): Promise<records.HistoryRecord | null> {
    return this.#lookUp("/ruc-historial", { ruc, fecha });
  }

  /** Companies by name, page after page of `limite` as they are read. A page costs one query. */
  async *rucBusqueda(search: Omit<records.SearchRequest, "cursor">): AsyncGenerator<records.SummaryRecord> {
    let cursor: string | null = null;
    do {
      const body: object = cursor === null ? search : { ...search, cursor };
      const page: records.SearchRecord = await this.#call({ path: "/ruc-busqueda", body });
      yield* page.resultados;
      cursor = page.siguiente;
    } while (cursor !== null);
  }

  /** Any number of RUCs, today or on a day: a result for each, in order. `ficha`: with all of `rucFicha`. */
  rucMultiple(
    rucs: Iterable<records.RucItem>,
    { ficha = false }: { ficha?: boolean } = {},
  ): AsyncGenerator<records.RucItemRecord> {
    const request = (items: unknown[]) => ({ path: "/ruc-multiple", body: { rucs: items, ficha } });
    return this.#batches<records.RucItemRecord>([...rucs], "rucs", request);
  }

  /** What SUNAT says about a voucher. "Does not exist" is a result too. */
  async cpe(comprobante: records.VoucherRequest): Promise<records.VoucherRecord> {
    check(comprobante.ruc_emisor);
    return this.#call({ path: "/cpe", body: comprobante, timeout: REMOTE });
  }

  /** Any number of vouchers: a result for each, in order. */
  cpeMultiple(comprobantes: Iterable<records.VoucherInBatch>): AsyncGenerator<records.VoucherItemRecord> {
    const request = (items: unknown[]) => ({ path: "/cpe-multiple", body: { comprobantes: items }, timeout: REMOTE });
    return this.#batches<records.VoucherItemRecord>([...comprobantes], "comprobantes", request);
  }

  /** Adds RUCs to the account's watch list and removes others, up to 1,000 of each. */
  seguimiento(agregar: records.WatchItem[], quitar: string[] = []): Promise<records.WatchChangeRecord> {
    return this.#call({ path: "/seguimiento", body: { agregar, quitar }, cost: agregar.length });
  }

  /** The account's watch list. */
  async *seguimientoLista(): AsyncGenerator<records.WatchedRecord> {
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? "" : `?cursor=${encodeURIComponent(cursor)}`;
      const page: records.WatchListRecord = await this.#call({ path: `/seguimiento${query}` });
      yield* page.rucs;
      cursor = page.siguiente;
    } while (cursor !== null);
  }

  /**
   * Pages of changes since a cursor or a day, until there are no more, or the cursor does not advance.
   * Begin later at the last `siguiente`.
   */
  async *cambios(request: records.ChangesRequest = {}): AsyncGenerator<records.FeedRecord> {
    let { desde } = request;
    for (let hasMore = true; hasMore; ) {
      const page: records.FeedRecord = await this.#call({ path: "/cambios", body: { ...request, desde } });
      yield page;
      // A server without the cursor's edition returns the same cursor.
      hasMore = !page.al_dia && page.siguiente !== desde;
      desde = page.siguiente;
    }
  }

  /** The exchange rate of a day (`YYYY-MM-DD`), by default of today. */
  tipoDeCambio(fecha?: string): Promise<records.ExchangeRateRecord> {
    return this.#call({ path: "/tipo-de-cambio", body: { fecha } });
  }

  /** The exchange rates of the known days of a month (`YYYY-MM`). */
  tipoDeCambioMes(mes: string): Promise<records.ExchangeRateRecord[]> {
    return this.#call({ path: "/tipo-de-cambio", body: { mes } });
  }

  /** The districts of Peru. Costs nothing. */
  ubigeos(): Promise<records.DistrictRecord[]> {
    return this.#call({ path: "/ubigeos" });
  }

  /** The plan, its limits and the queries left. Costs nothing. */
  usage(): Promise<records.UsageRecord> {
    return this.#call({ path: "/usage" });
  }

  async #lookUp<T>(path: string, body: Lookup, timeout = LOCAL): Promise<T | null> {
    check(body.ruc);
    try {
      return await this.#call<T>({ path, body, timeout });
    } catch (error) {
      if (error instanceof KurakaError && error.code === "document_not_found") return null;
      throw error;
    }
  }

  async *#batches<T extends Item>(
    items: Sent[],
    name: keyof records.ListsRecord,
    request: (items: Sent[]) => Request,
  ): AsyncGenerator<T> {
    if (items.length > 1) this.#limits ??= (await this.usage()).listas;
    const size = Math.max(1, this.#limits?.[name] ?? 1);
    for (let start = 0; start < items.length; start += size) {
      yield* await this.#batch<T>(items.slice(start, start + size), request);
    }
  }

  /** A result for each item. Those that may succeed later are repeated after their wait. */
  async #batch<T extends Item>(items: Sent[], request: (items: Sent[]) => Request): Promise<T[]> {
    const results = items.map((item) => refused(item) as T);
    let pending = [...items.keys()].filter((index) => isValidRuc(rucOf(items[index]!)));
    for (let attempt = 0; pending.length && attempt <= this.#maxRetries; attempt++) {
      if (attempt) await pause(Math.max(...pending.map((index) => results[index]!.retry_after ?? 0)), attempt - 1);
      try {
        const call = request(pending.map((index) => items[index]!));
        const answer = await this.#call<{ resultados: T[] }>({ ...call, cost: pending.length });
        pending.forEach((index, position) => (results[index] = answer.resultados[position] ?? results[index]!));
      } catch (error) {
        if (!attempt) throw error;
        break; // The results of the first attempt have been paid.
      }
      const mayBeRepeated = (item: T) => item.retryable && (item.retry_after ?? 0) <= LONGEST_WAIT;
      pending = pending.filter((index) => mayBeRepeated(results[index]!));
    }
    return results;
  }

  /** The data of the answer, after the repetitions that the documented rule allows. */
  async #call<T>(request: Request): Promise<T> {
    for (let retries = 0, refusals = 0; ; ) {
      try {
        return (await this.#send(request)) as T;
      } catch (error) {
        if (!(error instanceof KurakaError)) throw error;
        const isRefusal = error.code === "rate_limited";
        const attempt = isRefusal ? refusals++ : retries++;
        const allowed = isRefusal ? RATE_LIMITED_RETRIES : this.#maxRetries;
        const mayBeChargedTwice = error instanceof KurakaConnectionError && (request.cost ?? 1) > 1;
        const wait = error.retryAfter ?? (isRefusal ? 1 : null);
        if (!error.retryable || attempt >= allowed || mayBeChargedTwice || (wait ?? 0) > LONGEST_WAIT) throw error;
        await pause(wait, attempt);
      }
    }
  }

  async #send({ path, body, timeout = LOCAL }: Request): Promise<unknown> {
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(this.#baseUrl + path, {
        method: body ? "POST" : "GET",
        headers: this.#headers,
        body: body ? JSON.stringify(body) : null,
        redirect: "manual",
        signal: AbortSignal.timeout((this.#timeout ?? timeout) * 1000),
      });
      text = await answer.text();
    } catch (cause) {
      throw new KurakaConnectionError(`No hubo respuesta: ${String(cause)}.`, { cause });
    }
    const { status, headers } = answer;
    const envelope = parse(text);
    if (typeof envelope.success !== "boolean") {
      const message = `Respondió otro programa, no Kuraka (HTTP ${status}).`;
      throw new KurakaConnectionError(message, { status, retryable: status >= 500 });
    }
    if (envelope.success) return envelope.data;
    const wait = headers.get("retry-after");
    throw new KurakaError(String(envelope.code), String(envelope.message), {
      retryable: envelope.retryable === true,
      status,
      requestId: headers.get("x-request-id"),
      retryAfter: wait && /^[0-9]+$/.test(wait) ? Number(wait) : null,
      details: envelope,
    });
  }
}

/** What the server asks for, doubled with each attempt, and up to a second; otherwise, full jitter. */
function pause(retryAfter: number | null, attempt: number): Promise<void> {
  const jitter = Math.random() * (retryAfter === null ? 2 ** attempt : 1);
  return new Promise((done) => setTimeout(done, ((retryAfter ?? 0) * 2 ** attempt + jitter) * 1000));
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function check(ruc: string): void {
  if (!isValidRuc(ruc)) throw new KurakaError("invalid_input", INVALID_RUC);
}

function rucOf(item: Sent): string {
  if (typeof item === "string") return item;
  return ("ruc" in item ? item.ruc : item.ruc_emisor) ?? "";
}

/** The result of an item that is not sent: it repeats what was asked, the amount as text. */
function refused(item: Sent): Item {
  const result = { code: "invalid_input", retryable: false as const, message: INVALID_RUC };
  if (typeof item === "string") return { ...result, ruc: item };
  if ("ruc" in item) return { ...result, ...item };
  const { total, ...others } = item;
  return { ...result, ...others, ...(total == null ? {} : { total: String(total) }) };
}

/** The variables of Node.js and of what resembles it. */
function environment(): Record<string, string | undefined> | undefined {
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
}

function variable(name: string): string | undefined {
  return environment()?.[name];
}
