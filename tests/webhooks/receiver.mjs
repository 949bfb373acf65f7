// A receiver that answers 204 to a delivery whose signature the library of npm verifies, else 400.

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const [port, secret, libraries] = process.argv.slice(2);
const { Webhook } = createRequire(libraries)('standardwebhooks');

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  try {
    new Webhook(readFileSync(secret, 'utf8').trim()).verify(body, request.headers);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
});
server.listen(0, '127.0.0.1', () => writeFileSync(port, String(server.address().port)));
