<?php

declare(strict_types=1);

namespace Kuraka;

/**
 * There is no result: decide by `$errorCode` and `$retryable`, never by the message, which is in Spanish for people.
 *
 * The code has this name because exceptions of PHP have a number as `$code`.
 */
class KurakaError extends \RuntimeException
{
    /** @var string A code of the API, such as `quota_exceeded`; `no_answer`; `webhook_invalid`. */
    public string $errorCode;

    /** @var bool Whether the same call may succeed later. */
    public bool $retryable;

    /** @var int|null The HTTP status; null if nothing was sent, or nothing was answered. */
    public ?int $status;

    /** @var string|null The server's id of the call, with which the operator finds it in the logs. */
    public ?string $requestId = null;

    /** @var int|null The seconds that the server asks to wait. */
    public ?int $retryAfter = null;

    /** @var array<mixed> The answer as sent: `cubierto` of `date_not_covered`, `desde` of `cursor_expired`. */
    public array $details = [];

    public function __construct(
        string $errorCode, string $message, bool $retryable = false, ?int $status = null, ?\Throwable $previous = null
    ) {
        parent::__construct($message, 0, $previous);
        $this->errorCode = $errorCode;
        $this->retryable = $retryable;
        $this->status = $status;
    }
}

/** No answer of the API came: no connection, a timeout, or an answer of something else, such as a proxy. */
final class KurakaConnectionError extends KurakaError
{
    public function __construct(string $message, bool $retryable = true, ?int $status = null, ?\Throwable $cause = null)
    {
        parent::__construct('no_answer', $message, $retryable, $status, $cause);
    }
}
