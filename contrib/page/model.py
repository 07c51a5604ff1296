"""A model server that says what it is told to, in parts, for the job "assistant"."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAME = 'parrot'


class Model:
    """Answers with `parts`; before each but the first it waits until `go` is set."""

    def __init__(self):
        self.parts = []
        self.go = threading.Event()
        model = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                self.reply('application/json', [json.dumps({'object': 'list', 'data': [{'id': NAME, 'object': 'model'}]})])

            def do_POST(self):
                self.rfile.read(int(self.headers['Content-Length']))
                self.reply('text/event-stream', model.stream())

            def reply(self, kind, parts):
                self.send_response(200)
                self.send_header('Content-Type', kind)
                self.send_header('Connection', 'close')
                self.end_headers()
                try:
                    for part in parts:
                        self.wfile.write(part.encode())
                        self.wfile.flush()
                except OSError:
                    pass  # Whoever asked has gone.
                self.close_connection = True

        self.server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f'http://127.0.0.1:{self.server.server_port}'

    def says(self, *parts):
        self.parts = parts
        self.go.clear()

    def stream(self):
        for i, part in enumerate(self.parts):
            if i:
                self.go.wait(30)
            yield self.line({'delta': {'content': part}, 'index': 0})
        yield self.line({'delta': {}, 'index': 0, 'finish_reason': 'stop'}) + 'data: [DONE]\n\n'

    def line(self, choice):
        return f'data: {json.dumps({"object": "chat.completion.chunk", "model": NAME, "choices": [choice]})}\n\n'

    def close(self):
        self.go.set()
        self.server.shutdown()
        self.server.server_close()
