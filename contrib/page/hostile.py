"""Pages of strangers in the same browser, and another user of the machine: each gets nothing and changes nothing."""

import os
import subprocess
import sys

from playwright.sync_api import expect

from browser import FOREIGN_NAME
from office import until
from strangers import Strangers

STOLEN = 'sent by a stranger'
SEND = '{"jsonrpc":"2.0","id":1,"method":"send","params":{"who":"Bob","text":"%s"}}' % STOLEN

# Each gives what the stranger got. Nothing is null, or what Chromium says of a request that was refused.
NOTHING = (None, 'Failed to fetch')
# Only this is refused by Chromium itself, before it asks the daemon.
UNASKED = 'a worker for the page'
TRIES = {
    'fetch with cookies': "async () => (await fetch(at + '/rpc', { method: 'POST', credentials: 'include', body })).text()",
    'fetch without looking at the answer': """async () => {
        const answer = await fetch(at + '/rpc', { method: 'POST', mode: 'no-cors', credentials: 'include', body });
        return (await answer.text()) || null; }""",
    "fetch with the page's own header": """async () => (await fetch(at + '/rpc', { method: 'POST', credentials: 'include',
        headers: { 'Parlance-Page': '1', 'Content-Type': 'application/json' }, body })).text()""",
    'fetch of the words, the events and a file': """async () => { for (const path of ['/words', '/events', '/files/FILE?name=x'])
        { const got = await fetch(at + path, { credentials: 'include' }).then((one) => one.text(), () => null);
          if (got) return got; } return null; }""",
    'an upload': "async () => (await fetch(at + '/files?name=x', { method: 'POST', credentials: 'include', body })).text()",
    'a beacon': "async () => { navigator.sendBeacon(at + '/rpc', body); return null; }",
    'a stream of events': """() => new Promise((done) => {
        const stream = new EventSource(at + '/events', { withCredentials: true });
        stream.onmessage = (event) => done(event.data); stream.addEventListener('hello', (event) => done(event.data));
        stream.onerror = () => { stream.close(); done(null); }; })""",
    'a WebSocket': """() => new Promise((done) => { const way = new WebSocket(at.replace('http', 'ws') + '/events');
        way.onopen = () => done('open'); way.onmessage = (event) => done(event.data); way.onerror = () => done(null); })""",
    'an image of a file': """() => new Promise((done) => { const image = new Image();
        image.onload = () => done('loaded'); image.onerror = () => done(null); image.src = at + '/files/FILE?name=x.png'; })""",
    'an image of the icon': """() => new Promise((done) => { const image = new Image();
        image.onload = () => done('loaded'); image.onerror = () => done(null); image.src = at + '/icon.svg'; })""",
    'a script': """() => new Promise((done) => { const script = document.createElement('script');
        script.onload = () => done('loaded'); script.onerror = () => done(null); script.src = at + '/rpc?id=1';
        document.head.append(script); })""",
    "a script of the page's": """() => import(at + '/api.js').then(() => 'loaded', () => null)""",
    'a style': """() => new Promise((done) => { const style = Object.assign(document.createElement('link'), { rel: 'stylesheet' });
        style.onload = () => done('loaded'); style.onerror = () => done(null); style.href = at + '/page.css';
        document.head.append(style); })""",
    'a worker for the page': """async () => 'serviceWorker' in navigator
        ? navigator.serviceWorker.register(at + '/worker.js').then(() => 'registered', () => null) : null""",
    'a launch link that was used': "async () => (await fetch(USED, { credentials: 'include' })).text()",
}


def run(office, browser, runner):
    ada, bob = office.ada, office.bob
    desk = browser.desk(ada)
    desk.open('Bob')
    used = ada.link()
    desk.page.goto(used)
    desk.open('Bob')
    before = facts(ada)
    file = share(desk)
    before_files = facts(ada)
    strangers = Strangers()
    try:
        visits(desk, ada, strangers, file, used, runner)
        rebinding(desk, ada, runner)
        worker(desk, ada, strangers, runner)
        other_user(ada, runner)
        with runner.step('after all that nothing has changed, and the page goes on'):
            assert facts(ada) == before_files and facts(ada)['conversations'] == before['conversations'], facts(ada)
            assert STOLEN not in bob.texts('Ada') and STOLEN not in ada.texts('Bob')
            page = desk.context.new_page()
            page.goto(ada.url)
            expect(page.locator('#list .row').first).to_be_visible()
    finally:
        strangers.close()


def facts(node):
    """What a stranger could have changed."""
    shelf = os.path.join(node.folder, 'data')
    files = sorted(name for folder, _, names in os.walk(shelf) for name in names if 'files' in folder)
    return {'conversations': [(one['id'], one.get('lastMessage', {}).get('id')) for one in node.ask('conversations')['conversations']],
            'files': files, 'presence': node.ask('presence')['state'], 'name': node.ask('name')['name']}


def share(desk):
    """A file on the shelf of the daemon, as the page puts it there."""
    return desk.page.evaluate("""() => fetch('/files?name=secret.png', { method: 'POST', headers: { 'Parlance-Page': '1' },
        body: new Blob(['secret']) }).then((answer) => answer.json()).then((one) => one.file)""")


def visits(desk, ada, strangers, file, used, runner):
    """The same browser, which has the cookie, visits pages of strangers."""
    for name, what in (('127.0.0.1', 'a page of another port'), (FOREIGN_NAME, 'a page of a foreign name')):
        page = desk.context.new_page()
        statuses, asked = [], []
        page.on('request', lambda request: request.url.startswith(ada.url) and asked.append(request.url))
        page.on('websocket', lambda way: asked.append(way.url))
        page.on('response', lambda answer: ada.url in answer.url and statuses.append((answer.status, answer.url)))
        page.goto(strangers.url(name))
        with runner.step(f'{what} gets nothing by {len(TRIES)} ways of asking'):
            for title, code in TRIES.items():
                asked.clear()
                code = code.replace('FILE', file).replace('USED', f"'{used}'")
                got = page.evaluate("""async ([code, at, body]) => {
                    try { return await new Function('at', 'body', `return (${code})()`)(at, body) ?? null; }
                    catch (error) { return error.message; } }""", [code, ada.url, SEND])
                assert got in NOTHING, f'{title}: {got[:300]}'
                # A beacon is sent when the page has nothing better to do.
                title == UNASKED or until(f'{title}: the daemon is asked', lambda: asked, pause=lambda: page.wait_for_timeout(20))
        with runner.step(f'{what} gets nothing by forms, frames, windows and links'):
            elsewhere(page, ada, strangers.url(name), statuses)
        allowed = [one for one in statuses if one[0] < 400]
        assert not allowed, allowed
        page.close()


def elsewhere(page, ada, home, statuses):
    """What leaves the stranger's page."""
    for kind in ('text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'):
        with page.expect_navigation() as sent:
            page.evaluate("""([at, body, kind]) => {
                const form = Object.assign(document.createElement('form'), { method: 'post', action: at + '/rpc', enctype: kind });
                const field = Object.assign(document.createElement('input'), { name: body.slice(0, -1) + ',"x":"', value: '"}' });
                form.append(field); document.body.append(form); form.submit(); }""", [ada.url, SEND, kind])
        assert sent.value.url == f'{ada.url}/rpc' and sent.value.status >= 400, sent.value.status
        page.goto(home)
    page.evaluate("""(at) => new Promise((done) => { const frame = document.createElement('iframe');
        frame.onload = done; frame.src = at + '/'; document.body.append(frame); })""", ada.url)
    framed = page.frames[-1]
    assert framed.locator('#list').count() == 0, framed.content()[:300]
    with page.expect_popup() as opened:
        page.evaluate('(at) => { window.other = window.open(at + "/"); }', ada.url)
    opened.value.wait_for_load_state()
    assert opened.value.locator('#list').count() == 0, opened.value.content()[:300]
    assert page.evaluate('() => { try { return window.other.document.body.innerText; } catch { return null; } }') is None
    opened.value.close()
    page.evaluate('(at) => { location.href = at + "/"; }', ada.url)
    page.wait_for_url(f'{ada.url}/')
    assert page.locator('#list').count() == 0
    page.goto(home)


def rebinding(desk, ada, runner):
    """A stranger's name is made to lead to this machine, so that its pages have the daemon's port."""
    with runner.step('a foreign name that leads to the daemon itself is refused'):
        page = desk.context.new_page()
        at = f'http://{FOREIGN_NAME}:{ada.page_port}'
        for path in ('/', '/main.js', '/launch?key=x', '/words'):
            answer = page.goto(at + path)
            assert answer.status >= 400 and 'main.js' not in answer.text(), path
        for path, method in (('/rpc', 'POST'), ('/events', 'GET'), ('/files?name=x', 'POST')):
            status = page.evaluate("""([path, method, body]) => fetch(path, { method, headers: { 'Parlance-Page': '1' },
                body: method === 'POST' ? body : undefined }).then((answer) => answer.status)""", [path, method, SEND])
            assert status >= 400, (path, status)
        key = ada.link().replace('127.0.0.1', FOREIGN_NAME)
        assert page.goto(key).status >= 400 and not desk.context.cookies(at)
        page.close()


def worker(desk, ada, strangers, runner):
    with runner.step('a service worker of another port sees nothing of the page'):
        page = desk.context.new_page()
        page.goto(strangers.url('127.0.0.1'))
        page.evaluate("""() => navigator.serviceWorker.register('/spy.js').then(() => navigator.serviceWorker.ready)""")
        page.goto(strangers.url('127.0.0.1'))
        assert page.evaluate('Boolean(navigator.serviceWorker.controller)'), "the stranger's worker does not run"
        visit = desk.context.new_page()
        visit.goto(ada.url)
        expect(visit.locator('#list .row').first).to_be_visible()
        seen = page.evaluate("fetch('/seen').then((answer) => answer.json())")
        assert seen and not any(str(ada.page_port) in one for one in seen), seen
        scripts = visit.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.map((one) => one.active?.scriptURL))')
        assert all(one is None or one == f'{ada.url}/worker.js' for one in scripts), scripts
        visit.close()
        page.close()


ANOTHER_USER = """
import socket, sys
for request in sys.argv[2:]:
    way = socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5)
    try:
        way.sendall(request.encode())
        print(repr(way.recv(4096)))
    except ConnectionError:
        print(repr(b''))
"""


def other_user(ada, runner):
    if not may_be_others():
        print('  --      hostile: that another user of the machine gets nothing was not tried: that needs root')
        return
    with runner.step('another user of the machine is not answered at all, not even with a new link'):
        head = f'Host: 127.0.0.1:{ada.page_port}\r\nConnection: close\r\n\r\n'
        key = ada.link().removeprefix(ada.url)
        answer = subprocess.run(
            ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', sys._base_executable, '-c', ANOTHER_USER,
             str(ada.page_port), f'GET / HTTP/1.1\r\n{head}', f'GET {key} HTTP/1.1\r\n{head}'],
            capture_output=True, text=True, timeout=20, cwd='/')
        assert answer.stdout.split() == ["b''", "b''"], answer.stdout + answer.stderr


def may_be_others():
    with open('/proc/self/uid_map') as lines:
        return os.geteuid() == 0 and any(int(line.split()[2]) > 65534 for line in lines)
