"""The browser, and desks: a person's own browser profile with a window that shows the page."""

import json
import os
import re
from contextlib import contextmanager
from pathlib import Path

import axe_playwright_python
from playwright.sync_api import expect, sync_playwright

from office import until

CHROMIUM = '/usr/bin/chromium'
AXE = Path(axe_playwright_python.__file__).with_name('axe.min.js')
PATIENCE = 10_000
# What Chromium itself says while the daemon is away.
AWAY = re.compile(r'net::ERR_|Failed to load resource|Failed to fetch')
# A stranger's name that leads to this machine; see hostile.py.
FOREIGN_NAME = 'foreign.test'


class Browser:
    """Chromium, with everything that was opened in it."""

    def __init__(self, pictures):
        expect.set_options(timeout=PATIENCE)
        self.folder = pictures
        self.playwright = sync_playwright().start()
        self.chromium = self.playwright.chromium.launch(executable_path=CHROMIUM, args=[
            '--no-sandbox', f'--host-resolver-rules=MAP {FOREIGN_NAME} 127.0.0.1', '--js-flags=--expose-gc'])
        self.desks = []

    def desk(self, node, launch=True, **options):
        desk = Desk(self, node, options)
        self.desks.append(desk)
        if launch:
            desk.launch()
        return desk

    def check(self):
        """Fails if a page said something was wrong."""
        for desk in self.desks:
            desk.check()

    def close_desks(self):
        for desk in list(self.desks):
            desk.close()

    def pictures(self, job):
        """Pictures of all windows."""
        os.makedirs(self.folder, exist_ok=True)
        paths = []
        for i, desk in enumerate(self.desks):
            path = os.path.join(self.folder, f'{job}-{i + 1}-{desk.node.name}.png')
            try:
                desk.page.screenshot(path=path, timeout=5000)
                paths.append(path)
            except Exception as error:  # A window may be gone; the failure is told all the same.
                paths.append(f'none of {desk.node.name}: {str(error).splitlines()[0]}')
        return paths

    def close(self):
        self.chromium.close()
        self.playwright.stop()


class Desk:
    """Somebody's window."""

    def __init__(self, browser, node, options):
        replaced = os.environ.get('PARLANCE_PAGE')
        options = {'viewport': {'width': 1280, 'height': 800}, 'locale': 'en-GB', 'reduced_motion': 'reduce',
                   'service_workers': 'block' if replaced else 'allow', **options}
        self.browser, self.node = browser, node
        self.context = browser.chromium.new_context(**options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.problems = []
        self.isAway = False
        self.page.on('console', lambda said: said.type == 'error' and self.problem(said.text))
        self.page.on('pageerror', lambda error: self.problem(f'uncaught: {error}'))
        if replaced:
            # Not for the pages of strangers, whose requests the daemon has to judge.
            self.context.route(re.compile(r'\.(js|css)$'), lambda route: replace(route, replaced)
                               if route.request.frame.url.startswith(node.url) else route.continue_())

    def problem(self, words):
        if not (self.isAway and AWAY.search(words)):
            self.problems.append(words)

    def check(self):
        assert not self.problems, f'The page of {self.node.name} said in its console: ' + '; '.join(self.problems[:5])

    def close(self):
        self.check()
        self.browser.desks.remove(self)
        self.context.close()

    @contextmanager
    def away(self):
        """While the daemon is away, requests fail."""
        self.isAway = True
        yield
        if not self.page.is_closed():
            self.page.wait_for_timeout(1)
        self.isAway = False

    def launch(self):
        """Opens the page as the command does."""
        self.page.goto(self.node.link())
        self.ready()

    def ready(self):
        expect(self.page.locator('#list .row').first).to_be_visible()
        expect(self.page.locator('main h1').first).to_be_attached()

    # ------------------------------------------------------------------------------------------------- Chatting

    def go(self, place):
        """Shows a view by its address."""
        self.page.evaluate('(hash) => { location.hash = hash; }', f'#/{place}')

    def open(self, who):
        """Opens the conversation with somebody, or of a group, by a click in the list."""
        self.page.locator('#list ul.rows .row').filter(
            has=self.page.locator('.name', has_text=re.compile(rf'^{re.escape(who)}( ✓)?$'))).first.click()
        expect(self.page.locator('.conversation h1')).to_have_text(re.compile(rf'^{re.escape(who)}( ✓)?$'))
        expect(self.page.locator('.messages [data-id]').first).to_be_attached()

    @property
    def field(self):
        return self.page.locator('.composer textarea')

    def say(self, text):
        """Writes a message as a person does."""
        self.field.fill(text)
        self.page.keyboard.press('Enter')

    def row(self, text):
        return self.page.locator('.messages:not(.pending) .msg').filter(
            has=self.page.locator('.text', has_text=text)).last

    def sees(self, text):
        expect(self.row(text)).to_be_visible()
        return self.row(text)

    def tool(self, text, key):
        """A button that appears when the mouse is over a message."""
        row = self.row(text)
        row.hover()
        row.locator(f'[data-key={key}]').click()

    def until(self, what, holds, seconds=10):
        return until(what, holds, seconds, lambda: self.page.wait_for_timeout(20))

    # ----------------------------------------------------------------------------------------------- Examining

    def axe(self, what, rules=None):
        """Fails if axe-core finds something. It is put in by the debugger, because the page lets no script in."""
        session = self.context.new_cdp_session(self.page)
        evaluate = lambda code: session.send('Runtime.evaluate', {  # noqa: E731
            'expression': code, 'awaitPromise': True, 'returnByValue': True})['result'].get('value')
        if not evaluate('typeof axe === "object"'):
            evaluate(AXE.read_text() + ';0')
        options = {'resultTypes': ['violations'], **({'runOnly': rules} if rules else {})}
        found = json.loads(evaluate(f'axe.run(document, {json.dumps(options)}).then((r) => JSON.stringify(r.violations.map('
                                    '(v) => ({ id: v.id, nodes: v.nodes.slice(0, 3).map((n) => `${n.target.join(" ")}: '
                                    '${n.failureSummary}`) }))))'))
        session.detach()
        assert not found, f'axe-core, in {what}: ' + '\n'.join(f'{one["id"]}: {" | ".join(one["nodes"])}' for one in found)

    def measure(self):
        """After a collection of garbage: the heap in MB, nodes and listeners."""
        session = self.context.new_cdp_session(self.page)
        session.send('Performance.enable')
        session.send('HeapProfiler.collectGarbage')
        heap = session.send('Runtime.getHeapUsage')['usedSize'] / 1e6
        values = {one['name']: one['value'] for one in session.send('Performance.getMetrics')['metrics']}
        session.detach()
        return heap, int(values['Nodes']), int(values['JSEventListeners'])


def replace(route, folder):
    """Answers with a file of a folder, and the headers that the daemon gave."""
    path = Path(folder) / Path(route.request.url.split('?')[0]).name
    response = route.fetch()
    if not path.exists():
        return route.fulfill(response=response)
    # The daemon may not know a new file yet.
    kind = {'.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8'}[path.suffix]
    route.fulfill(response=response, status=200, headers={**response.headers, 'content-type': kind}, body=path.read_bytes())
