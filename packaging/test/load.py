"""Calls the API through the proxy until the file `stop` exists, and prints how many calls had which end as JSON.

Usage: load.py URL TOKEN STOP. A call is answered (200), refused (503 with Retry-After), or failed: anything else.
"""
import http.client
import json
import os
import ssl
import sys
import threading
from collections import Counter
from urllib.parse import urlsplit

url, token, stop = urlsplit(sys.argv[1]), sys.argv[2], sys.argv[3]
ends = Counter(answered=0, refused=0, failed=0)
context = ssl._create_unverified_context()


def end(connection):
    connection.request("GET", url.path, headers={"Authorization": f"Bearer {token}", "Host": "api.example.pe"})
    answer = connection.getresponse()
    answer.read()
    if answer.status == 200:
        return "answered"
    return "refused" if answer.status == 503 and answer.headers["Retry-After"] else f"failed: {answer.status}"


def call():
    connection = None
    while not os.path.exists(stop):
        connection = connection or http.client.HTTPSConnection(url.hostname, url.port or 443, timeout=30, context=context)
        try:
            ends[end(connection)] += 1
        except (OSError, http.client.HTTPException) as error:
            ends[f"failed: {error!r}"] += 1
            connection = None


callers = [threading.Thread(target=call) for _ in range(4)]
for caller in callers:
    caller.start()
for caller in callers:
    caller.join()
ends["failed"] = sum(count for name, count in ends.items() if name.startswith("failed"))
print(json.dumps(ends))
