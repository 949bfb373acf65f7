/** What an error knows beside its code and message. */
export interface ErrorFacts {
  retryable?: boolean;
  status?: number | null;
  requestId?: string | null;
  retryAfter?: number | null;
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** There is no result: decide by `code` and `retryable`, never by `message`, which is in Spanish for people. */
export class KurakaError extends Error {
  override name = "KurakaError";
  /** A code of the API, such as `quota_exceeded`; `no_answer`; `webhook_invalid`. */
  readonly code: string;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** The HTTP status; null if nothing was sent, or nothing was answered. */
  readonly status: number | null;
  /** The server's id of the call, with which the operator finds it in the logs. */
  readonly requestId: string | null;
  /** The seconds that the server asks to wait. */
  readonly retryAfter: number | null;
  /** The answer as the server sent it: `cubierto` of `date_not_covered`, `desde` of `cursor_expired`. */
  readonly details: Record<string, unknown>;

  constructor(code: string, message: string, facts: ErrorFacts = {}) {
    super(message, { cause: facts.cause });
    this.code = code;
    this.retryable = facts.retryable ?? false;
    this.status = facts.status ?? null;
    this.requestId = facts.requestId ?? null;
    this.retryAfter = facts.retryAfter ?? null;
    this.details = facts.details ?? {};
  }
}

/** No answer of the API came: no connection, a timeout, or an answer of something else, such as a proxy. */
export class KurakaConnectionError extends KurakaError {
  override name = "KurakaConnectionError";

  constructor(message: string, facts: ErrorFacts = {}) {
    super("no_answer", message, { retryable: true, ...facts });
  }
}
