// Calls the tools with both releases of the TypeScript SDK, and checks the answers against the tools' schemas.
import assert from 'node:assert/strict';
import * as v1 from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command, url, token, data] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
const server = { ...process.env, KURAKA_URL: url, KURAKA_TOKEN: token, KURAKA_CONFIG: '' };
const local = { ...process.env, KURAKA_CONFIG: '' };
const auto = { versionNegotiation: { mode: 'auto' } };

for (const [name, make, Http, Stdio, options] of [
  ['1', v1.Client, HttpV1, StdioV1, {}],
  ['2', Client, StreamableHTTPClientTransport, StdioClientTransport, {}],
  ['2 without a handshake', Client, StreamableHTTPClientTransport, StdioClientTransport, auto],
]) {
  for (const [how, transport] of [
    ['http', new Http(new URL('/mcp', url), { requestInit: { headers } })],
    ['stdio to a server', new Stdio({ command, args: ['mcp'], env: server })],
    ['stdio on local data', new Stdio({ command, args: ['mcp', '--data-dir', data], env: local })],
  ]) {
    const client = new make({ name: 'tests', version: '1' }, options);
    await client.connect(transport);
    const { tools } = await client.listTools();
    assert.equal(tools.length, 5);
    const call = (name, values) => client.callTool({ name, arguments: values });
    const found = await call('consultar_ruc', { ruc: '20100119227', ficha: true });
    assert.equal(found.structuredContent.data.ruc, '20100119227');
    const absent = await call('consultar_ruc', { ruc: '20999999990' });
    assert.ok(absent.structuredContent.ausencia_probada && !absent.isError);
    const wrong = await call('consultar_ruc', { ruc: '2010011922' });
    assert.ok(wrong.isError && wrong.structuredContent.code === 'invalid_input');
    const rate = await call('tipo_de_cambio', { fecha: '2026-09-06' });
    assert.equal(rate.structuredContent.data.moneda, 'USD');
    await client.close();
    console.log(`typescript ${name}, ${how}: ok`);
  }
}
process.exit(0);
