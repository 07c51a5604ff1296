"""How a browser is let in: the link works once, the cookie is for the page alone."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect


def run(office, browser, runner):
    ada = office.ada
    link = ada.link_by_command()

    with runner.step('the link lets a browser in, and its key leaves the address'):
        desk = browser.desk(ada, launch=False)
        answers = []
        desk.page.on('response', lambda answer: answers.append(answer))
        desk.page.goto(link)
        desk.ready()
        assert desk.page.url.split('#')[0] == f'{ada.url}/', desk.page.url
        expect(desk.page.locator('#list .me')).to_contain_text('Ada')
        cookie, = desk.context.cookies()
        assert cookie['httpOnly'] and cookie['sameSite'] == 'Strict', cookie
        assert 'parlance' not in desk.page.evaluate('document.cookie')

    with runner.step('an address opens its view also before the modules of views are there'):
        desk.page.evaluate("history.replaceState(null, '', '#/new')")
        desk.page.reload()
        expect(desk.page.locator('dialog[open]')).to_be_visible()
        assert desk.page.url.endswith('#/'), desk.page.url
        desk.page.keyboard.press('Escape')

    with runner.step('a malformed address shows the start'):
        desk.go('me')
        expect(desk.page.locator('main h1')).to_have_text('You')
        desk.go('%')
        expect(desk.page.locator('main')).to_contain_text('Choose a conversation')
        desk.page.reload()
        expect(desk.page.locator('main')).to_contain_text('Choose a conversation')

    with runner.step('every answer keeps other pages and caches out'):
        shell = next(one for one in answers if urlsplit(one.url).path == '/')
        policy = shell.headers['content-security-policy']
        for rule in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'",
                     "require-trusted-types-for 'script'"):
            assert rule in policy, policy
        assert 'unsafe' not in policy and 'access-control-allow-origin' not in shell.headers
        first = next(one for one in answers if 'launch?' in one.url)
        assert 'no-store' in first.headers.get('cache-control', ''), first.headers
        assert all(urlsplit(one.url).netloc == urlsplit(ada.url).netloc for one in answers), 'a request to another host'

    with runner.step('the same link lets nobody else in'):
        other = browser.desk(ada, launch=False)
        with other.away():
            other.page.goto(link)
            assert not other.context.cookies()
            other.page.goto(ada.url)
            expect(other.page.locator('#banner')).to_contain_text(re.compile(r'parlance --data-dir \S+ open'))
            status = other.page.evaluate("""fetch('/rpc', { method: 'POST', headers: { 'Parlance-Page': '1' },
                body: '{"jsonrpc":"2.0","id":1,"method":"conversations"}' }).then((answer) => answer.status)""")
            assert status == 401, status
            assert 'Bob' not in other.page.content()
            other.close()

    with runner.step('the browser that was let in still is, after a reload and in a second tab'):
        desk.page.reload()
        desk.ready()
        tab = desk.context.new_page()
        tab.goto(ada.url)
        expect(tab.locator('#list .row').first).to_be_visible()
