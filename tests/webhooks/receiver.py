"""A receiver that answers 204 to a delivery whose signature the library of PyPI verifies, else 400."""

import pathlib
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

port, secret = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            Webhook(secret.read_text().strip()).verify(body, {name.lower(): value for name, value in self.headers.items()})
            self.send_response(204)
        except WebhookVerificationError:
            self.send_response(400)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
port.write_text(str(server.server_port))
server.serve_forever()
