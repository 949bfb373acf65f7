<?php

declare(strict_types=1);

namespace Kuraka;

/**
 * A client of a Kuraka server, with one method for each operation of the API, named after it.
 *
 * Lookups return null only if a source says that the RUC does not exist. What could not be found out throws
 * {@see KurakaError}. Methods that return a generator call the server while it is read.
 *
 * @phpstan-import-type ChangesRequest from Package
 * @phpstan-import-type CodedRucRequest from Package
 * @phpstan-import-type RucOnDay from Package
 * @phpstan-import-type SearchRequest from Package
 * @phpstan-import-type VoucherInBatch from Package
 * @phpstan-import-type VoucherRequest from Package
 */
final class Kuraka
{
    private const LOCAL = 10.0, REMOTE = 40.0;
    private const LONGEST_WAIT = 60, RATE_LIMITED_RETRIES = 8;
    private const INVALID_RUC = 'El RUC no es válido: debe tener 11 dígitos y su dígito verificador.';

    private string $token;
    private string $baseUrl;
    private ?float $timeout;
    private int $maxRetries;
    private Transport $transport;
    private ?ListsRecord $limits = null;

    /**
     * @param string|null $token By default, the variable `KURAKA_TOKEN`.
     * @param string|null $baseUrl By default, the variable `KURAKA_URL`.
     * @param float|null $timeout In seconds; by default 10, or 40 for what SUNAT answers.
     * @param int $maxRetries Waiting for the plan's rate does not count.
     */
    public function __construct(
        ?string $token = null, ?string $baseUrl = null, ?float $timeout = null, int $maxRetries = 2,
        ?Transport $transport = null
    ) {
        $this->token = trim((string) ($token ?: getenv('KURAKA_TOKEN')));
        $this->baseUrl = rtrim((string) ($baseUrl ?: getenv('KURAKA_URL')), '/');
        if ($this->token === '' || $this->baseUrl === '') {
            throw new KurakaError('invalid_input', 'Falta el token o la dirección: KURAKA_TOKEN, KURAKA_URL.');
        }
        $this->timeout = $timeout;
        $this->maxRetries = $maxRetries;
        $this->transport = $transport ?? new CurlTransport();
    }

    /** A taxpayer's summary. */
    public function ruc(string $ruc): ?SummaryRecord
    {
        return $this->lookUp('/ruc', ['ruc' => $ruc], [SummaryRecord::class, 'read']);
    }

    /** A taxpayer's detail from SUNAT's page, from a provider, or from open data. */
    public function rucOfficial(string $ruc): ?DetailRecord
    {
        return $this->lookUp('/ruc-official', ['ruc' => $ruc], [DetailRecord::class, 'read'], self::REMOTE);
    }

    /** All that the published files say about a taxpayer. */
    public function rucFicha(string $ruc): ?ProfileRecord
    {
        return $this->lookUp('/ruc-ficha', ['ruc' => $ruc], [ProfileRecord::class, 'read']);
    }

    /**
     * A taxpayer's other premises; an empty list if there are none.
     *
     * @return list<AnnexRecord>|null
     */
    public function rucAnexos(string $ruc): ?array
    {
        return $this->lookUp('/ruc-anexos', ['ruc' => $ruc], Json::listOf([AnnexRecord::class, 'read']));
    }

    /** Whether a taxpayer was declared without operating capacity. */
    public function rucSsco(string $ruc): ?OperatingCapacityRecord
    {
        return $this->lookUp('/ruc-ssco', ['ruc' => $ruc], [OperatingCapacityRecord::class, 'read']);
    }

    /** A company's fiscal address in parts. */
    public function rucDomicilioFiscal(string $ruc): ?FiscalAddressRecord
    {
        return $this->lookUp('/ruc-domicilio-fiscal', ['ruc' => $ruc], [FiscalAddressRecord::class, 'read']);
    }

    /** A taxpayer's recorded changes, and what it was on a day (`YYYY-MM-DD`). */
    public function rucHistorial(string $ruc, ?string $fecha = null): ?HistoryRecord
    {
        return $this->lookUp('/ruc-historial', ['ruc' => $ruc, 'fecha' => $fecha], [HistoryRecord::class, 'read']);
    }

    /**
     * Companies by name, page after page of `limite` as they are read. A page costs one query.
     *
     * @param SearchRequest $search
     * @return \Generator<int, SummaryRecord, void, void>
     */
    public function rucBusqueda(array $search): \Generator
    {
        do {
            $page = $this->call('/ruc-busqueda', $search, [SearchRecord::class, 'read']);
            foreach ($page->resultados as $company) {
                yield $company;
            }
            $search['cursor'] = $page->siguiente;
        } while ($page->siguiente !== null);
    }

    /**
     * Any number of RUCs, today or on a day: a result for each, in order.
     *
     * @param iterable<string|RucOnDay> $rucs
     * @param bool $ficha With all of `rucFicha`.
     * @return \Generator<int, RucItemRecord, void, void>
     */
    public function rucMultiple(iterable $rucs, bool $ficha = false): \Generator
    {
        return $this->batches('/ruc-multiple', 'rucs', $rucs, [RucItemRecord::class, 'read'], ['ficha' => $ficha]);
    }

    /**
     * What SUNAT says about a voucher. "Does not exist" is a result too.
     *
     * @param VoucherRequest $comprobante
     */
    public function cpe(array $comprobante): VoucherRecord
    {
        self::check(self::rucOf($comprobante));
        return $this->call('/cpe', $comprobante, [VoucherRecord::class, 'read'], 1, self::REMOTE);
    }

    /**
     * Any number of vouchers: a result for each, in order.
     *
     * @param iterable<VoucherInBatch> $comprobantes
     * @return \Generator<int, VoucherItemRecord, void, void>
     */
    public function cpeMultiple(iterable $comprobantes): \Generator
    {
        $read = [VoucherItemRecord::class, 'read'];
        return $this->batches('/cpe-multiple', 'comprobantes', $comprobantes, $read, [], self::REMOTE);
    }

    /**
     * Adds RUCs to the account's watch list and removes others, up to 1,000 of each.
     *
     * @param list<string|CodedRucRequest> $agregar
     * @param list<string> $quitar
     */
    public function seguimiento(array $agregar, array $quitar = []): WatchChangeRecord
    {
        $body = ['agregar' => $agregar, 'quitar' => $quitar];
        return $this->call('/seguimiento', $body, [WatchChangeRecord::class, 'read'], count($agregar));
    }

    /**
     * The account's watch list.
     *
     * @return \Generator<int, WatchedRecord, void, void>
     */
    public function seguimientoLista(): \Generator
    {
        $query = '';
        do {
            $page = $this->call("/seguimiento$query", null, [WatchListRecord::class, 'read']);
            foreach ($page->rucs as $watched) {
                yield $watched;
            }
            $query = '?cursor=' . rawurlencode((string) $page->siguiente);
        } while ($page->siguiente !== null);
    }

    /**
     * Pages of changes since a cursor or a day, until there are no more, or the cursor does not advance.
     * Begin later at the last `siguiente`.
     *
     * @param ChangesRequest $request
     * @return \Generator<int, FeedRecord, void, void>
     */
    public function cambios(array $request = []): \Generator
    {
        do {
            yield $page = $this->call('/cambios', $request, [FeedRecord::class, 'read']);
            // A server without the cursor's edition returns the same cursor.
            $hasMore = !$page->al_dia && $page->siguiente !== ($request['desde'] ?? null);
            $request['desde'] = $page->siguiente;
        } while ($hasMore);
    }

    /** The exchange rate of a day (`YYYY-MM-DD`), by default of today. */
    public function tipoDeCambio(?string $fecha = null): ExchangeRateRecord
    {
        return $this->call('/tipo-de-cambio', ['fecha' => $fecha], [ExchangeRateRecord::class, 'read']);
    }

    /**
     * The exchange rates of the known days of a month (`YYYY-MM`).
     *
     * @return list<ExchangeRateRecord>
     */
    public function tipoDeCambioMes(string $mes): array
    {
        return $this->call('/tipo-de-cambio', ['mes' => $mes], Json::listOf([ExchangeRateRecord::class, 'read']));
    }

    /**
     * The districts of Peru. Costs nothing.
     *
     * @return list<DistrictRecord>
     */
    public function ubigeos(): array
    {
        return $this->call('/ubigeos', null, Json::listOf([DistrictRecord::class, 'read']));
    }

    /** The plan, its limits and the queries left. Costs nothing. */
    public function usage(): UsageRecord
    {
        return $this->call('/usage', null, [UsageRecord::class, 'read']);
    }

    /**
     * @template T
     * @param array{ruc: string, fecha?: string|null} $body
     * @param callable(mixed): T $read
     * @return T|null
     */
    private function lookUp(string $path, array $body, callable $read, float $timeout = self::LOCAL)
    {
        self::check($body['ruc']);
        try {
            return $this->call($path, $body, $read, 1, $timeout);
        } catch (KurakaError $error) {
            if ($error->errorCode !== 'document_not_found') {
                throw $error;
            }
            return null;
        }
    }

    /**
     * @template T of RucItemRecord|VoucherItemRecord
     * @param string $name Of the list, and of its limit.
     * @param iterable<mixed> $items
     * @param callable(mixed): T $read
     * @param array<string, mixed> $body
     * @return \Generator<int, T, void, void>
     */
    private function batches(
        string $path, string $name, iterable $items, callable $read, array $body, float $timeout = self::LOCAL
    ): \Generator {
        $items = is_array($items) ? array_values($items) : iterator_to_array($items, false);
        if (count($items) > 1) {
            $this->limits = $this->limits ?? $this->usage()->listas;
        }
        $send = function (array $part) use ($path, $name, $body, $read, $timeout): array {
            $results = static fn ($data): array => Json::list(Json::object($data)['resultados'] ?? null, $read);
            return $this->call($path, [$name => $part] + $body, $results, count($part), $timeout);
        };
        foreach (array_chunk($items, max(1, $this->limits->{$name} ?? 1)) as $part) {
            foreach ($this->batch($part, $send, $read) as $result) {
                yield $result;
            }
        }
    }

    /**
     * A result for each item. Those that may succeed later are repeated after their wait.
     *
     * @template T of RucItemRecord|VoucherItemRecord
     * @param list<mixed> $items
     * @param callable(list<mixed>): list<T> $send
     * @param callable(mixed): T $read
     * @return list<T>
     */
    private function batch(array $items, callable $send, callable $read): array
    {
        $refusal = ['code' => 'invalid_input', 'retryable' => false, 'message' => self::INVALID_RUC];
        $fields = static fn ($item): array => is_array($item) ? array_map('strval', $item) : ['ruc' => $item];
        $results = array_map(static fn ($item) => $read($refusal + $fields($item)), $items);
        $pending = array_filter($items, static fn ($item): bool => Ruc::isValid(self::rucOf($item)));
        for ($attempt = 0; $pending !== [] && $attempt <= $this->maxRetries; $attempt++) {
            if ($attempt > 0) {
                $waits = array_column(array_intersect_key($results, $pending), 'retry_after');
                self::pause((int) max(0, ...$waits), $attempt - 1);
            }
            try {
                $answer = $send(array_values($pending));
            } catch (KurakaError $error) {
                if ($attempt === 0) {
                    throw $error;
                }
                break; // The results of the first attempt have been paid.
            }
            foreach (array_keys($pending) as $position => $index) {
                $results[$index] = $answer[$position] ?? $results[$index];
                if (!$results[$index]->retryable || $results[$index]->retry_after > self::LONGEST_WAIT) {
                    unset($pending[$index]);
                }
            }
        }
        return $results;
    }

    /**
     * The record of the answer, after the repetitions that the documented rule allows.
     *
     * @template T
     * @param array<mixed>|null $body
     * @param callable(mixed): T $read
     * @param int $cost The number of queries that the call may cost.
     * @return T
     */
    private function call(string $path, ?array $body, callable $read, int $cost = 1, float $timeout = self::LOCAL)
    {
        for ($retries = 0, $refusals = 0;;) {
            try {
                return $read($this->send($path, $body, $timeout));
            } catch (KurakaError $error) {
                $isRefusal = $error->errorCode === 'rate_limited';
                $attempt = $isRefusal ? $refusals++ : $retries++;
                $isLast = $attempt >= ($isRefusal ? self::RATE_LIMITED_RETRIES : $this->maxRetries);
                $mayBeChargedTwice = $error instanceof KurakaConnectionError && $cost > 1;
                $wait = $error->retryAfter ?? ($isRefusal ? 1 : null);
                if (!$error->retryable || $isLast || $mayBeChargedTwice || $wait > self::LONGEST_WAIT) {
                    throw $error;
                }
                self::pause($wait, $attempt);
            }
        }
    }

    /**
     * @param array<mixed>|null $body
     * @return mixed
     */
    private function send(string $path, ?array $body, float $timeout)
    {
        $present = (object) array_filter($body ?? [], static fn ($value): bool => $value !== null);
        $sent = $body === null ? null : json_encode($present, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
        $headers = [
            'Authorization' => "Bearer {$this->token}",
            'Content-Type' => 'application/json',
            'User-Agent' => 'kuraka-php/' . Package::VERSION,
        ];
        [$method, $timeout] = [$sent === null ? 'GET' : 'POST', $this->timeout ?? $timeout];
        $answer = $this->transport->send($method, $this->baseUrl . $path, $headers, $sent, $timeout);
        [$status, $received, $text] = $answer;
        $envelope = json_decode($text, true);
        if (!is_array($envelope) || !is_bool($envelope['success'] ?? null)) {
            $message = "Respondió otro programa, no Kuraka (HTTP $status).";
            throw new KurakaConnectionError($message, $status >= 500, $status);
        }
        if ($envelope['success']) {
            return $envelope['data'] ?? null;
        }
        $retryable = ($envelope['retryable'] ?? null) === true;
        [$code, $message] = [Json::string($envelope['code'] ?? null), Json::string($envelope['message'] ?? null)];
        $error = new KurakaError($code, $message, $retryable, $status);
        $error->requestId = $received['x-request-id'] ?? null;
        $error->retryAfter = ctype_digit($received['retry-after'] ?? '') ? (int) $received['retry-after'] : null;
        $error->details = $envelope;
        throw $error;
    }

    /** Waits for what the server asks, doubled with each attempt, and up to a second; otherwise, full jitter. */
    private static function pause(?int $retryAfter, int $attempt): void
    {
        $jitter = mt_rand() / mt_getrandmax() * ($retryAfter === null ? 2 ** $attempt : 1);
        usleep((int) (1e6 * (($retryAfter ?? 0) * 2 ** $attempt + $jitter)));
    }

    private static function check(string $ruc): void
    {
        if (!Ruc::isValid($ruc)) {
            throw new KurakaError('invalid_input', self::INVALID_RUC);
        }
    }

    /** @param mixed $item */
    private static function rucOf($item): string
    {
        $ruc = is_array($item) ? $item['ruc'] ?? $item['ruc_emisor'] ?? '' : $item;
        return is_string($ruc) ? $ruc : '';
    }
}
