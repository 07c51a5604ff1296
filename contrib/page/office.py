"""The daemons of Ada, Bob and Cleo, each with a folder of its own, and a client of their control protocol."""

import json
import os
import signal
import socket
import subprocess
import time

# So that a large file is on its way for a moment, in which it can be looked at.
FILE_RATE = '16 MiB'


def until(what, holds, seconds=10, pause=lambda: time.sleep(0.02)):
    """Asks again and again until something holds, and returns it."""
    end = time.monotonic() + seconds
    while True:
        value = holds()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f'Not within {seconds} s: {what}')
        pause()


class Refused(Exception):
    """The daemon answered with an error."""


class Control:
    """One connection to a daemon."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.lines = self.socket.makefile('rb')
        self.number = 0

    def ask(self, method, **params):
        return self.ask_all([(method, params)])[0]

    def ask_all(self, requests):
        """Asks many things at once, and returns their results in order."""
        first = self.number + 1
        self.number += len(requests)
        lines = [json.dumps({'jsonrpc': '2.0', 'id': first + i, 'method': method, 'params': params})
                 for i, (method, params) in enumerate(requests)]
        self.socket.sendall(('\n'.join(lines) + '\n').encode())
        answers = {}
        while len(answers) < len(requests):
            answer = self.read()
            if 'id' in answer:
                answers[answer['id']] = answer
        for answer in answers.values():
            if 'error' in answer:
                raise Refused(json.dumps(answer['error']))
        return [answers[first + i]['result'] for i in range(len(requests))]

    def read(self):
        line = self.lines.readline()
        if not line:
            raise ConnectionError('the daemon has closed the connection')
        return json.loads(line)

    def close(self):
        self.lines.close()
        self.socket.close()


class Node:
    """A daemon of somebody."""

    def __init__(self, programs, work, name, number):
        self.programs, self.name = programs, name
        self.folder = os.path.join(work, name.lower())
        self.port, self.page_port = 4800 + number, 7600 + number
        self.url = f'http://127.0.0.1:{self.page_port}'
        self.socket_path = os.path.join(self.folder, 'data', 'control.sock')
        self.others = []
        self.process = self.control = None
        os.makedirs(os.path.join(self.folder, 'run'), mode=0o700)

    def environment(self):
        home = self.folder
        return {'PATH': os.environ['PATH'], 'LD_LIBRARY_PATH': os.environ.get('LD_LIBRARY_PATH', ''), 'LANG': 'C.UTF-8',
                'HOME': home, 'XDG_CONFIG_HOME': f'{home}/config', 'XDG_DATA_HOME': f'{home}/share',
                'XDG_STATE_HOME': f'{home}/state', 'XDG_RUNTIME_DIR': f'{home}/run'}

    def start(self):
        arguments = ['--data-dir', f'{self.folder}/data', '--name', self.name, '--mdns', 'off', '--notify', 'none',
                     '--listen', '127.0.0.1', '--port', str(self.port), '--page-port', str(self.page_port),
                     '--file-rate', FILE_RATE]
        for other in self.others:
            arguments += ['--peer', f'127.0.0.1:{other.port}']
        with open(f'{self.folder}/log', 'ab') as log:
            self.process = subprocess.Popen([f'{self.programs}/parlanced', *arguments], env=self.environment(),
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def ready(self):
        def answers():
            assert self.process.poll() is None, f"{self.name}'s daemon ended with {self.process.returncode}"
            try:
                return self.ask('status')
            except (OSError, ValueError):
                return None
        return until(f"{self.name}'s daemon answers", answers, 20)

    def ask(self, method, **params):
        return self.ask_all([(method, params)])[0]

    def ask_all(self, requests):
        try:
            self.control = self.control or Control(self.socket_path)
            return self.control.ask_all(requests)
        except (OSError, ValueError):
            self.hang_up()
            raise

    def hang_up(self):
        if self.control:
            self.control.close()
        self.control = None

    def send(self, who, *texts):
        """Sends messages to somebody, or to a group."""
        for at in range(0, len(texts), 200):
            self.ask_all([('send', {'who': who, 'text': text}) for text in texts[at:at + 200]])

    def texts(self, who, limit=200):
        return [one['text'] for one in self.ask('history', who=who, limit=limit)['messages']]

    def peer(self, name):
        return next((one for one in self.ask('peers')['peers'] if one['name'] == name), None)

    def link(self):
        return self.ask('page.open')['link']

    def link_by_command(self):
        """A launch link, as the command makes it."""
        answer = subprocess.run([f'{self.programs}/parlance', '--data-dir', f'{self.folder}/data', 'open', '--print'],
                                env=self.environment(), capture_output=True, text=True, timeout=20)
        assert answer.returncode == 0, answer.stderr
        return answer.stdout.strip()

    def end(self, how):
        self.hang_up()
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(15)

    def kill(self):
        self.end(signal.SIGKILL)

    def stop(self):
        self.end(signal.SIGTERM)

    def last_lines(self, count=15):
        with open(f'{self.folder}/log', errors='replace') as log:
            return log.read().splitlines()[-count:]


class Office:
    """Three people who have accepted each other."""

    def __init__(self, programs, work):
        self.nodes = [Node(programs, work, name, i + 1) for i, name in enumerate(['Ada', 'Bob', 'Cleo'])]
        self.ada, self.bob, self.cleo = self.nodes
        self.work = work

    def open(self):
        for node in self.nodes:
            node.others = [one for one in self.nodes if one is not node]
            node.start()
        for node in self.nodes:
            node.id = node.ready()['peerID']
        for node in self.nodes:
            for other in node.others:
                until(f'{node.name} sees {other.name}', lambda: (node.peer(other.name) or {}).get('connected'))
                node.ask('accept', who=other.id)
        self.bob.send('Ada', 'Good morning, Ada')
        self.ada.send('Bob', 'Good morning, Bob')
        self.cleo.send('Ada', 'Hello from the harbour')
        until('the first messages are there', lambda: len(self.ada.texts('Bob')) == 2 and self.ada.texts('Cleo'))

    def read(self):
        """Nothing is unread any more."""
        for node in self.nodes:
            for one in node.ask('conversations')['conversations']:
                node.ask('read', who=one.get('peer', one['id']))

    def join(self, name, number):
        """Somebody more, whom everybody has accepted."""
        node = Node(self.ada.programs, self.work, name, number)
        node.others = list(self.nodes)
        node.start()
        node.id = node.ready()['peerID']
        for other in self.nodes:
            until(f'{name} sees {other.name}', lambda: (node.peer(other.name) or {}).get('connected'))
            until(f'{other.name} sees {name}', lambda: (other.peer(name) or {}).get('connected'))
            node.ask('accept', who=other.id)
            other.ask('accept', who=node.id)
        self.nodes.append(node)
        return node

    def settled(self):
        """Waits until everybody is connected and nothing waits."""
        for node in self.nodes:
            until(f'{node.name} is connected', lambda: node.ask('status')['counts']['connected'] == 2, 20)
            until(f'nothing of {node.name} waits', lambda: node.ask('outbox')['total'] == 0, 20)

    def close(self):
        for node in self.nodes:
            node.end(signal.SIGKILL)
