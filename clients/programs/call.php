<?php

// Runs one case of the table: the call is on the standard input, the argument is the autoloader of the project.

declare(strict_types=1);

use Kuraka\Kuraka;
use Kuraka\KurakaConnectionError;
use Kuraka\KurakaError;
use Kuraka\Webhook;

require $argv[1];

/** @param array<string, mixed> $a */
function value(string $call, array $a, array $options, ?int $repeat = null)
{
    if (substr($call, -8) === '_webhook') {
        $method = substr($call, 0, -8);
        return Webhook::$method($a['secret'], $a['headers'], $a['body'], $a['now']);
    }
    $client = new Kuraka(null, null, $options['timeout'] ?? null, $options['max_retries'] ?? 2);
    $method = lcfirst(str_replace('_', '', ucwords($call, '_')));
    // In the order of the parameters.
    $given = in_array($call, ['ruc_busqueda', 'cambios'], true) ? [$a] : array_values($a);
    $values = [];
    for ($left = $repeat ?? 1; $left > 0; $left--) {
        $found = $client->$method(...$given);
        $values[] = $found instanceof Generator ? iterator_to_array($found, false) : $found;
    }
    return $repeat === null ? $values[0] : $values;
}

$case = json_decode((string) stream_get_contents(STDIN), true);
usleep((int) max(0, 1e6 * (($case['at'] ?? 0) - microtime(true))));
try {
    $outcome = ['value' => value($case['call'], $case['arguments'], $case['options'], $case['repeat'] ?? null)];
} catch (KurakaError $error) {
    $outcome = ['error' => [
        'code' => $error->errorCode,
        'message' => $error->getMessage(),
        'retryable' => $error->retryable,
        'status' => $error->status,
        'request_id' => $error->requestId,
        'retry_after' => $error->retryAfter,
        'details' => $error->details,
        'connection' => $error instanceof KurakaConnectionError,
    ]];
}
echo json_encode($outcome);
