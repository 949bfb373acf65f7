<?php

declare(strict_types=1);

namespace Kuraka;

/** Sends with a PSR-18 client, whose timeouts and redirects are its own. */
final class Psr18Transport implements Transport
{
    private \Psr\Http\Client\ClientInterface $client;

    /** @var \Psr\Http\Message\RequestFactoryInterface&\Psr\Http\Message\StreamFactoryInterface */
    private $factory;

    /** @param \Psr\Http\Message\RequestFactoryInterface&\Psr\Http\Message\StreamFactoryInterface $factory */
    public function __construct(\Psr\Http\Client\ClientInterface $client, $factory)
    {
        $this->client = $client;
        $this->factory = $factory;
    }

    public function send(string $method, string $url, array $headers, ?string $body, float $timeout): array
    {
        $request = $this->factory->createRequest($method, $url)->withBody($this->factory->createStream((string) $body));
        foreach ($headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        try {
            $answer = $this->client->sendRequest($request);
            $received = array_map(static fn (array $values) => implode(', ', $values), $answer->getHeaders());
            return [$answer->getStatusCode(), array_change_key_case($received), (string) $answer->getBody()];
        } catch (\Psr\Http\Client\ClientExceptionInterface $error) {
            throw new KurakaConnectionError("No hubo respuesta: {$error->getMessage()}.", true, null, $error);
        }
    }
}
