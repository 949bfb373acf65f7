<?php
// The calls of the most copied invoicing program of the original interface, as it sends and reads them: a customer, a
// voucher, a hundred vouchers as fields and as lines, and the dollar of a day. Only the address is another one.
//
//   php invoicing.php ADDRESS TOKEN DAY

declare(strict_types=1);

set_error_handler(fn ($level, $message, $file, $line) => throw new ErrorException($message, 0, $level, $file, $line));

final class InvoicingService
{
    public function __construct(private string $address, private string $token)
    {
    }

    private function call(string $method, string $path, array $form = []): array
    {
        $request = curl_init($this->address . $path);
        curl_setopt_array($request, [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . $this->token, 'Accept: application/json'],
        ]);
        if ($method === 'POST') {
            curl_setopt($request, CURLOPT_POSTFIELDS, http_build_query($form));
        }
        // Any status is read as JSON.
        return json_decode((string) curl_exec($request), true, 512, JSON_THROW_ON_ERROR);
    }

    public function customer(string $ruc): array
    {
        $answer = $this->call('GET', "/api/ruc/$ruc");
        if (!$answer['success']) {
            return ['success' => false, 'message' => $answer['message']];
        }
        $data = $answer['data'];
        return ['success' => true, 'name' => $data['nombre_o_razon_social'], 'address' => $data['direccion'],
            'department' => $data['ubigeo'][0], 'province' => $data['ubigeo'][1], 'district' => $data['ubigeo'][2],
            'condition' => $data['condicion'], 'state' => $data['estado']];
    }

    public function voucher(array $voucher): array
    {
        return $this->call('POST', '/api/cpe', $voucher);
    }

    public function vouchers(array $items): array
    {
        $secrets = ['ruc_empresa' => '20999990062', 'sol_usuario' => 'MODDATOS', 'clave_usuario' => 'moddatos'];
        return $this->call('POST', '/api/validacion_multiple_cpe', $secrets + ['comprobantes' => $items]);
    }

    public function dollar(string $day): array
    {
        return $this->call('POST', '/api/tipo_de_cambio', ['fecha' => $day]);
    }
}

function expect(bool $holds, string $what, mixed $found): void
{
    if (!$holds) {
        fwrite(STDERR, "$what: " . json_encode($found) . "\n");
        exit(1);
    }
}

[, $address, $token, $day] = $argv;
$service = new InvoicingService($address, $token);

$company = $service->customer('20100119227');
expect($company['district'] === '150131' && $company['province'] === '1501', 'customer', $company);
$person = $service->customer('10999990075');
expect($person['district'] === null && $person['address'] === '', 'person', $person);
$absent = $service->customer('20999999990');
expect($absent['success'] === false, 'no customer', $absent);

$voucher = ['ruc_emisor' => '20999990062', 'codigo_tipo_documento' => '01', 'serie_documento' => 'F001',
    'numero_documento' => '1', 'fecha_de_emision' => '2026-01-15', 'total' => '118.00'];
$answer = $service->voucher($voucher);
expect($answer['success'] && $answer['data']['comprobante_estado_codigo'] === '1'
    && $answer['data']['empresa_estado_description'] === 'ACTIVO', 'voucher', $answer);

$answer = $service->vouchers(array_fill(0, 100, $voucher));
expect($answer['success'] && $answer['data']['cantidad_de_comprobantes'] === 100, 'a hundred', $answer);
foreach ($answer['data']['comprobantes'] as $row) {
    expect($row['comprobante_estado_codigo'] === '1' && array_intersect_key($row, $voucher) == $voucher, 'row', $row);
}
$answer = $service->vouchers(array_fill(0, 100, implode('|', $voucher)));
foreach ($answer['data']['comprobantes'] as $row) {
    expect(explode('|', $row)[6] === '1', 'line', $row);
}

$answer = $service->dollar($day);
expect($answer['success'] && is_float($answer['data']['venta']) && $answer['data']['venta'] > 1, 'dollar', $answer);
echo "PHP: customer, person, voucher, 100 vouchers, 100 lines, dollar\n";
