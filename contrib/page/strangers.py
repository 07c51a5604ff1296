"""A web server of strangers, on another port of this machine; under which name it is visited, the browser decides."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# A service worker that answers with what it saw when it is asked for /seen.
SPY = """
const seen = [];
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  seen.push(event.request.url);
  if (event.request.url.endsWith('/seen')) event.respondWith(Response.json(seen));
});
"""


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        isSpy = self.path == '/spy.js'
        body = (SPY if isSpy else '<!doctype html><title>Stranger</title><body>').encode()
        self.send_response(200)
        self.send_header('Content-Type', 'text/javascript' if isSpy else 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Strangers:
    def __init__(self):
        self.server = ThreadingHTTPServer(('127.0.0.1', 0), Answer)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, name):
        return f'http://{name}:{self.server.server_port}/'

    def close(self):
        self.server.shutdown()
        self.server.server_close()
