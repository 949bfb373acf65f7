<?php

declare(strict_types=1);

namespace Kuraka;

/** Sends requests. */
interface Transport
{
    /**
     * @param array<string, string> $headers
     * @param float $timeout In seconds, for the whole request.
     * @return array{int, array<string, string>, string} Status, headers by their name in lower case, body.
     * @throws KurakaConnectionError If there is no answer.
     */
    public function send(string $method, string $url, array $headers, ?string $body, float $timeout): array;
}

/**
 * Sends with cURL, each request over a connection of its own: cURL itself repeats a request if a kept connection turns
 * out to be closed, and a batch would be charged twice.
 */
final class CurlTransport implements Transport
{
    private const CONNECT_SECONDS = 5.0;

    public function send(string $method, string $url, array $headers, ?string $body, float $timeout): array
    {
        $received = [];
        $options = [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => array_map(static fn ($name) => "$name: {$headers[$name]}", array_keys($headers)),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_CONNECTTIMEOUT_MS => (int) (1000 * min(self::CONNECT_SECONDS, $timeout)),
            CURLOPT_TIMEOUT_MS => (int) (1000 * $timeout),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$received): int {
                [$name, $value] = array_pad(explode(':', $line, 2), 2, '');
                $received[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ];
        /** @var resource $handle A `CurlHandle` since PHP 8; false only without memory. */
        $handle = curl_init($url);
        curl_setopt_array($handle, $options + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
        $answer = curl_exec($handle);
        if (!is_string($answer)) {
            throw new KurakaConnectionError('No hubo respuesta: ' . curl_error($handle) . '.');
        }
        return [(int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $received, $answer];
    }
}
