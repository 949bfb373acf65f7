<?php
// Calls with the client that openapi-generator generates for PHP.
//
//   php calls.php ADDRESS TOKEN FOLDER

declare(strict_types=1);

use OpenAPI\Client\{ApiException, Configuration};
use OpenAPI\Client\Api\{ComprobantesApi, ContribuyentesApi, CuentaApi, TablasApi};
use OpenAPI\Client\Model\{ErrorAnswer, HistoryRequest, RucBatchRequest, RucOnDay, RucRequest, SearchRequest};
use OpenAPI\Client\Model\VoucherRequest;

[, $address, $token, $folder] = $argv;
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class) use ($folder) {
    require $folder . '/lib' . strtr(substr($class, strlen('OpenAPI\Client')), '\\', '/') . '.php';
});
error_reporting(E_ALL & ~E_DEPRECATED);

const COMPANY = '20999990038';
const ABSENT = '20999999990';

$configuration = (new Configuration())->setHost($address)->setAccessToken($token);
$taxpayers = new ContribuyentesApi(config: $configuration);
$vouchers = new ComprobantesApi(config: $configuration);

function say(string $name, array ...$groups): void
{
    $word = fn ($value) => is_string($value) ? $value : trim(json_encode($value), '"');
    echo $name, ' ', implode(', ', array_map(fn ($group) => implode(' ', array_map($word, $group)), $groups)), "\n";
}

function failed(callable $call): ErrorAnswer
{
    try {
        throw new LogicException('no error: ' . $call());
    } catch (ApiException $failure) {
        return $failure->getResponseObject();
    }
}

function voucher(string $series, float|string $total): VoucherRequest
{
    return new VoucherRequest(['ruc_emisor' => '20999990062', 'codigo_tipo_documento' => '01', 'serie_documento' => $series,
        'numero_documento' => '1', 'fecha_de_emision' => new DateTime('2026-01-15'), 'total' => $total]);
}

$day = fn (?DateTime $day) => $day?->format('Y-m-d');

$company = $taxpayers->ruc(new RucRequest(['ruc' => COMPANY]))->getData();
say('ruc', [$company->getRuc(), $company->getDepartamento(), $company->getCondicion()]);
$profile = $taxpayers->rucFichaGet(COMPANY)->getData();
say('ficha', [$profile->getDatosAbiertos()->getTrabajadores(), $profile->getSinCapacidadOperativa()]);
$onDay = ['ruc' => COMPANY, 'fecha' => new DateTime('2026-10-24')];
$then = $taxpayers->rucHistorial(new HistoryRequest($onDay))->getData()->getEnFecha();
say('historial', [$day($then->getFecha()), $then->getCondicion()]);
// Its model of an item knows no text; PHP takes the text itself.
$batch = new RucBatchRequest(['rucs' => [COMPANY, new RucOnDay($onDay), ABSENT]]);
$item = fn ($item) => [$item->getCode(), ...$item->getData() ? [$item->getData()->getCondicion()] : []];
say('multiple', ...array_map($item, $taxpayers->rucMultiple($batch)->getData()->getResultados()));
$search = new SearchRequest(['nombre' => 'molin', 'limite' => 1]);
$page = $taxpayers->rucBusqueda($search)->getData();
$next = $taxpayers->rucBusqueda($search->setCursor($page->getSiguiente()))->getData();
$companies = [...$page->getResultados(), ...$next->getResultados()];
say('busqueda', ...array_map(fn ($it) => [$it->getRuc()], $companies));
$answers = array_map(fn ($total) => $vouchers->cpe(voucher('F001', $total))->getData(), [118.0, '118.00']);
$status = fn ($it) => [$it->getComprobanteEstadoCodigo(), $it->getComprobanteEstadoDescripcion()];
say('cpe', ...array_map($status, $answers));
$rate = (new TablasApi(config: $configuration))->tipoDeCambioGet('2026-09-06')->getData();
$days = [$day($rate->getFechaBusqueda()), $day($rate->getFechaCierre())];
say('tipo-de-cambio', [$days[0], $rate->getCompra(), $rate->getVenta(), $days[1]]);
$absent = failed(fn () => $taxpayers->ruc(new RucRequest(['ruc' => ABSENT])));
say('absent', [$absent->getCode(), $absent->getRetryable()]);
$invalid = failed(fn () => $vouchers->cpe(voucher('B001', 118.0)));
say('invalid', [$invalid->getCode(), $invalid->getRetryable()]);
$stranger = new CuentaApi(config: (new Configuration())->setHost($address));
say('stranger', [failed(fn () => $stranger->usage())->getCode()]);
