<?php

// The service provider and the facade in a minimal container of Laravel. Arguments: the autoloaders of project and Laravel.

declare(strict_types=1);

use Illuminate\Container\Container;
use Illuminate\Support\Facades\Facade;
use Kuraka\Kuraka;
use Kuraka\KurakaError;
use Kuraka\Laravel\KurakaFacade;
use Kuraka\Laravel\KurakaServiceProvider;

foreach (array_slice($argv, 1) as $autoloader) {
    require $autoloader;
}

$app = new Container();
$app['config'] = new class {
    /** @return array<string, string> */
    public function get(string $name, array $default): array
    {
        return $name === 'services.kuraka' ? ['token' => 'kur_0', 'url' => 'http://127.0.0.1:9'] : $default;
    }
};
(new KurakaServiceProvider($app))->register();
Facade::setFacadeApplication($app);

assert($app->make(Kuraka::class) === $app->make(Kuraka::class));
assert(KurakaFacade::getFacadeRoot() === $app->make(Kuraka::class));
try {
    KurakaFacade::ruc('20100119228');
    exit(1);
} catch (KurakaError $error) {
    exit($error->errorCode === 'invalid_input' ? 0 : 1);
}
