<?php

declare(strict_types=1);

namespace Kuraka;

/** Verifies webhooks as the Standard Webhooks specification says. */
final class Webhook
{
    private const TOLERANCE_SECONDS = 300;

    /**
     * Throws unless the webhook is signed with the secret and at most five minutes old.
     *
     * @param array<string, string|list<string>> $headers
     * @param string $body The body as it arrived, byte for byte.
     * @param int|null $now Seconds since 1970.
     * @throws KurakaError With the code `webhook_invalid`.
     */
    public static function verify(string $secret, array $headers, string $body, ?int $now = null): void
    {
        $lowered = array_change_key_case($headers);
        $header = static fn (string $name): string => implode(' ', (array) ($lowered["webhook-$name"] ?? ''));
        [$id, $sent] = [$header('id'), $header('timestamp')];
        if ($id === '' || preg_match('/^[0-9]{1,12}$/D', $sent) !== 1) {
            throw self::invalid('faltan sus encabezados');
        }
        if (abs(($now ?? time()) - (int) $sent) > self::TOLERANCE_SECONDS) {
            throw self::invalid('su fecha difiere en más de cinco minutos');
        }
        $key = base64_decode((string) preg_replace('/^whsec_/', '', $secret), true);
        if ($key === false || $key === '') {
            throw self::invalid('el secreto está vacío o no es base64');
        }
        $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sent.$body", $key, true));
        foreach (explode(' ', $header('signature')) as $signature) {
            if (hash_equals($wanted, $signature)) {
                return;
            }
        }
        throw self::invalid('la firma no es de este secreto');
    }

    /**
     * Verifies a webhook, and returns what it says.
     *
     * @param array<string, string|list<string>> $headers
     * @throws KurakaError With the code `webhook_invalid`.
     */
    public static function read(string $secret, array $headers, string $body, ?int $now = null): WebhookRecord
    {
        self::verify($secret, $headers, $body, $now);
        return WebhookRecord::read(json_decode($body, true));
    }

    private static function invalid(string $reason): KurakaError
    {
        return new KurakaError('webhook_invalid', "El aviso no es auténtico: $reason.");
    }
}
