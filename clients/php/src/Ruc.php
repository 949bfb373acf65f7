<?php

declare(strict_types=1);

namespace Kuraka;

/** The check digit of a RUC, which costs no query to verify here. */
final class Ruc
{
    private const WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

    /** Whether the text is 11 digits with a known prefix and the right check digit. It says nothing about existence. */
    public static function isValid(string $ruc): bool
    {
        if (preg_match('/^(10|15|16|17|20)[0-9]{9}$/D', $ruc) !== 1) {
            return false;
        }
        $product = static fn (int $weight, string $digit): int => $weight * (int) $digit;
        $sum = array_sum(array_map($product, self::WEIGHTS, str_split(substr($ruc, 0, 10))));
        return (11 - $sum % 11) % 10 === (int) $ruc[10];
    }
}
