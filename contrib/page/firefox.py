"""The main path in Firefox, where Debian's firefox-esr is installed. Its own protocol for programs, Marionette, drives it:
a line of JSON with its length before it."""

import json
import os
import shutil
import socket
import subprocess

from files import png, write
from office import until

PROGRAM = '/usr/bin/firefox-esr'
PORT = 2828
# A loaded machine starts Firefox slowly.
STARTS = 60
WAIT = 15
SETTINGS = {'app.update.enabled': False, 'browser.shell.checkDefaultBrowser': False, 'datareporting.policy.dataSubmissionEnabled': False,
            'intl.accept_languages': 'en-GB', 'marionette.port': PORT, 'toolkit.telemetry.enabled': False}
# The key that WebDriver has for an element.
ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
ENTER = '\ue007'


class Firefox:
    """A Firefox with a folder of its own, and one window."""

    def __init__(self, folder):
        os.makedirs(folder)
        with open(os.path.join(folder, 'user.js'), 'w', encoding='utf-8') as file:
            file.writelines(f'user_pref({json.dumps(name)}, {json.dumps(value)});\n' for name, value in SETTINGS.items())
        self.process = subprocess.Popen([PROGRAM, '--headless', '--marionette', '--no-remote', '--profile', folder],
                                        env={**os.environ, 'HOME': folder}, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number = 0
        self.socket = until('Firefox listens', self.connect, STARTS)
        self.socket.settimeout(STARTS)
        self.lines = self.socket.makefile('rb')
        self.read()
        self.ask('WebDriver:NewSession', capabilities={'alwaysMatch': {'unhandledPromptBehavior': 'accept'}})

    def connect(self):
        assert self.process.poll() is None, 'Firefox has ended'
        try:
            return socket.create_connection(('127.0.0.1', PORT))
        except OSError:
            return None

    def read(self):
        size = b''
        while not size.endswith(b':'):
            size += self.lines.read(1)
        return json.loads(self.lines.read(int(size[:-1])))

    def ask(self, command, **values):
        self.number += 1
        text = json.dumps([0, self.number, command, values]).encode()
        self.socket.sendall(str(len(text)).encode() + b':' + text)
        _, _, error, result = self.read()
        assert error is None, f'{command}: {error["message"]}'
        return result

    def go(self, url):
        self.ask('WebDriver:Navigate', url=url)

    def run(self, code, *values):
        return self.ask('WebDriver:ExecuteScript', script=code, args=values)['value']

    def text(self, selector):
        return self.run('return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText).join("\\n")', selector)

    def sees(self, selector, text):
        until(f'"{text}" in {selector}', lambda: text in self.text(selector), WAIT)

    def find(self, selector):
        one = until(selector, lambda: self.run('return document.querySelector(arguments[0])', selector), WAIT)
        return one[ELEMENT]

    def click(self, selector):
        self.ask('WebDriver:ElementClick', id=self.find(selector))

    def type(self, selector, text):
        self.ask('WebDriver:ElementSendKeys', id=self.find(selector), text=text)

    def faults(self):
        return self.run('return window.faults')

    def close(self):
        self.process.kill()
        self.process.wait()


def run(office, _, runner):
    if not os.access(PROGRAM, os.X_OK):
        with runner.step('firefox-esr is not installed: left out'):
            return
    folder = os.path.join(office.work, 'firefox')
    with runner.step('Firefox runs'):
        firefox = Firefox(folder)
    try:
        path(firefox, office, runner)
    finally:
        firefox.close()
        shutil.rmtree(folder, ignore_errors=True)


def path(firefox, office, runner):
    field = '.composer textarea'
    with runner.step('the link lets it in, and the list is there'):
        firefox.go(office.ada.link())
        firefox.sees('#list .me', 'Ada')
        firefox.sees('#list .row .name', 'Bob')
        # What a module throws, and what the policy of the page blocks, is a defect.
        firefox.run("""window.faults = []; for (const kind of ['error', 'unhandledrejection', 'securitypolicyviolation'])
            addEventListener(kind, (event) => window.faults.push(String(event.message ?? event.reason ?? event.violatedDirective)));""")

    with runner.step('a message is written and arrives; the answer is shown'):
        bob = office.ada.ask('conversations')['conversations']
        bob = next(one['id'] for one in bob if one['title'] == 'Bob')
        firefox.run('location.hash = arguments[0]', f'#/c/{bob}')
        firefox.sees('.conversation h1', 'Bob')
        firefox.type(field, 'From a fox **to Bob**' + ENTER)
        until('Bob has it', lambda: 'From a fox **to Bob**' in office.bob.texts('Ada'))
        firefox.sees('.msg.own .text', 'From a fox to Bob')
        firefox.sees('.msg.own .status', 'delivered')
        office.bob.send('Ada', 'Welcome, fox')
        firefox.sees('.msg .text', 'Welcome, fox')

    with runner.step('a picture is chosen, sent and drawn'):
        name = write(office, 'engine-room.png', png(400, 260))
        firefox.type('input[type=file]', name)
        firefox.find('.tray li.done canvas')
        firefox.type(field, 'A picture' + ENTER)
        firefox.find('.msg .picture canvas')
        until('Bob has it', lambda: 'A picture' in office.bob.texts('Ada'), WAIT)

    with runner.step('the daemon is killed while something is typed: it is kept, and the page comes back'):
        firefox.type(field, 'Half a word')
        office.ada.kill()
        firefox.sees('#banner', 'The daemon')
        office.ada.start()
        office.ada.ready()
        until('the banner is gone', lambda: not firefox.text('#banner').strip(), WAIT)
        assert firefox.run('return document.querySelector(arguments[0]).value', field) == 'Half a word'
        firefox.type(field, ' more' + ENTER)
        until('Bob has it', lambda: 'Half a word more' in office.bob.texts('Ada'), WAIT)

    with runner.step('every view opens, and nothing was wrong'):
        for view, text in (('people', 'Bob'), ('network', 'connected'), ('outbox', ''), ('doctor', ''), ('me', 'Ada')):
            firefox.run('location.hash = arguments[0]', f'#/{view}')
            firefox.sees('main', text)
            until('a heading', lambda: firefox.text('main h1'), WAIT)
        assert not firefox.faults(), firefox.faults()
        firefox.run('const one = document.createElement("img"); one.src = "http://127.0.0.1:1/x.png"; document.body.append(one)')
        until('what the policy blocks is noticed', firefox.faults, WAIT)
    office.settled()
