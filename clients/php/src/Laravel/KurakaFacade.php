<?php

declare(strict_types=1);

namespace Kuraka\Laravel;

use Illuminate\Support\Facades\Facade;

/**
 * The client of the application.
 *
 * @mixin \Kuraka\Kuraka
 */
final class KurakaFacade extends Facade
{
    protected static function getFacadeAccessor(): string
    {
        return \Kuraka\Kuraka::class;
    }
}
