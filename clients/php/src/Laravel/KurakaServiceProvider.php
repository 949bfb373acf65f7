<?php

declare(strict_types=1);

namespace Kuraka\Laravel;

use Illuminate\Support\ServiceProvider;

/** Makes one client for Laravel, from `services.kuraka` of `config/services.php` or from the environment. */
final class KurakaServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->app->singleton(\Kuraka\Kuraka::class, static function ($app): \Kuraka\Kuraka {
            $settings = $app['config']->get('services.kuraka', []);
            return new \Kuraka\Kuraka($settings['token'] ?? null, $settings['url'] ?? null);
        });
    }
}
