"""Calls the tools with the Python SDK, with and without the handshake, and checks the answers."""

import asyncio
import contextlib
import os
import sys

import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

kuraka, url, token, data = sys.argv[1:]
SERVER = {"KURAKA_URL": url, "KURAKA_TOKEN": token, "KURAKA_CONFIG": ""}


@contextlib.asynccontextmanager
async def http():
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as client:
        async with streamable_http_client(f"{url}/mcp", http_client=client) as streams:
            yield streams


def stdio(arguments, environment):
    return stdio_client(StdioServerParameters(command=kuraka, args=["mcp", *arguments], env={**os.environ, **environment}))


async def check(name, transport, mode):
    async with Client(transport, mode=mode) as client:
        tools = (await client.list_tools()).tools
        assert len(tools) == 5, tools
        found = await client.call_tool("consultar_ruc", {"ruc": "20100119227"})
        assert found.structured_content["data"]["ruc"] == "20100119227" and not found.is_error, found
        absent = await client.call_tool("consultar_ruc", {"ruc": "20999999990"})
        assert absent.structured_content["ausencia_probada"] and not absent.is_error, absent
        wrong = await client.call_tool("consultar_ruc", {"ruc": "2010011922"})
        assert wrong.is_error and wrong.structured_content["code"] == "invalid_input", wrong
        both = await client.call_tool("consultar_lista", {"rucs": ["20100119227", "20999999990"]})
        assert both.structured_content["data"]["encontrados"] == 1, both
    print(f"python {mode}, {name}: ok")


async def main():
    for mode in ("auto", "legacy", "2026-07-28"):
        await check("http", http(), mode)
        await check("stdio to a server", stdio([], SERVER), mode)
        await check("stdio on local data", stdio(["--data-dir", data], {"KURAKA_CONFIG": ""}), mode)


asyncio.run(main())
