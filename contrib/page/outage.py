"""The daemon dies while somebody types: the page says so, loses nothing, sends once, and comes back by itself."""

import os
import re

from playwright.sync_api import expect


def run(office, browser, runner):
    ada, bob = browser.desk(office.ada), browser.desk(office.bob)
    ada.open('Bob')
    bob.open('Ada')

    with runner.step('kill -9 while Ada types: the banner says so, and no letter is lost'):
        ada.field.press_sequentially('Written bef')
        with ada.away():
            office.ada.kill()
            ada.field.press_sequentially('ore and after')
            expect(ada.page.locator('#banner')).to_contain_text('The daemon does not answer')
            expect(ada.field).to_have_value('Written before and after')
            expect(ada.page.locator('#list .foot')).to_contain_text('no daemon')
            ada.page.keyboard.press('Enter')
            expect(ada.page.locator('.pending')).to_contain_text('Written before and after')
            expect(ada.page.locator('.pending')).to_contain_text('waits for the daemon')
            ada.field.press_sequentially('The next thought')

    with runner.step('it comes back by itself, and the message goes out once'):
        with ada.away():
            office.ada.start()
            office.ada.ready()
            expect(ada.page.locator('#banner')).to_be_empty(timeout=15_000)
            expect(ada.page.locator('.pending')).to_be_hidden()
        bob.sees('Written before and after')
        expect(ada.row('Written before and after').locator('.status')).to_contain_text('read', timeout=15_000)
        expect(ada.field).to_have_value('The next thought')
        for node, who in ((office.ada, 'Bob'), (office.bob, 'Ada')):
            assert node.texts(who).count('Written before and after') == 1
        ada.say('The next thought')
        bob.sees('The next thought')

    office.settled()
    refused(office, browser, runner)
    later(office, browser, runner)
    lost_answers(office, browser, runner)
    stop(ada, office, runner)
    shell(ada, office, runner)


def refused(office, browser, runner):
    """What the daemon did not take goes back into the field, and never into something else."""
    desk = browser.desk(office.ada, service_workers='block')
    desk.open('Bob')
    refusal = {'jsonrpc': '2.0', 'id': 1, 'error': {'code': -32000, 'message': 'Not now.', 'data': {'code': 'busy'}}}
    desk.context.route('**/rpc', lambda route: route.fulfill(json=refusal)
                       if re.search('"method":"(send|reply)".*Refused', route.request.post_data or '') else route.continue_())

    def fails(text):
        desk.say(text)
        row = desk.page.locator('.pending .msg', has_text=text)
        expect(row).to_contain_text('Not sent: Not now.')
        return row

    with runner.step('a text that was refused stays out of an edit that was begun meanwhile'):
        desk.say('To be edited')
        desk.sees('To be edited')
        row = fails('Refused one')
        desk.field.press('ArrowUp')
        expect(desk.field).to_have_value('To be edited')
        row.get_by_role('button', name='Change the text').click()
        expect(desk.page.locator('.toast')).to_contain_text('First save your edit')
        expect(desk.field).to_have_value('To be edited')
        expect(row).to_be_visible()
        desk.field.press('Escape')
        expect(desk.field).to_have_value('')
        row.get_by_role('button', name='Change the text').click()
        expect(desk.field).to_have_value('Refused one')
        expect(row).to_have_count(0)

    with runner.step('it stays out of an answer too, and an answer that was refused is one again'):
        desk.field.fill('')
        plain = fails('Refused two')
        desk.tool('To be edited', 'reply')
        desk.field.fill('An answer')
        plain.get_by_role('button', name='Change the text').click()
        expect(desk.page.locator('.toast')).to_contain_text('First send or remove')
        expect(desk.field).to_have_value('An answer')
        expect(desk.page.locator('.aim')).to_contain_text('Answer to')
        answer = fails('Refused three')
        expect(desk.page.locator('.aim')).to_be_hidden()
        answer.get_by_role('button', name='Change the text').click()
        expect(desk.field).to_have_value('Refused three')
        expect(desk.page.locator('.aim')).to_contain_text('Answer to')
        plain.get_by_role('button', name='Discard').click()

    with runner.step('the answer that somebody writes is one again after an edit'):
        row = desk.row('To be edited')
        row.hover()
        row.locator('[data-key=more]').click()
        desk.page.get_by_role('menuitem', name='Edit').click()
        expect(desk.field).to_have_value('To be edited')
        desk.field.press('Escape')
        expect(desk.field).to_have_value('Refused three')
        expect(desk.page.locator('.aim')).to_contain_text('Answer to')
        desk.field.press('Escape')
        desk.field.fill('')

    with runner.step('an edit that is begun while another one is saved goes on'):
        desk.say('Also to be edited')
        desk.sees('Also to be edited')
        held = []
        desk.page.route('**/rpc', lambda route: held.append(route)
                        if '"method":"edit"' in (route.request.post_data or '') else route.fallback())
        desk.field.press('ArrowUp')
        desk.say('Edited now')
        desk.until('the edit is asked for', lambda: held)
        row = desk.row('To be edited')
        row.hover()
        row.locator('[data-key=more]').click()
        desk.page.get_by_role('menuitem', name='Edit').click()
        desk.field.fill('To be edited next')
        held[0].continue_()
        desk.sees('Edited now')
        expect(desk.field).to_have_value('To be edited next')
        desk.page.unroute('**/rpc')
        desk.page.keyboard.press('Enter')
        desk.sees('To be edited next')

    with runner.step('the files of a message that was refused come back with it'):
        desk.page.locator('.composer input[type=file]').set_input_files(
            files=[{'name': 'plan.txt', 'mimeType': 'text/plain', 'buffer': b'Refused?'}])
        expect(desk.page.locator('.tray li.done')).to_have_count(1)
        row = fails('Refused four')
        row.get_by_role('button', name='Change the text').click()
        expect(desk.field).to_have_value('Refused four')
        expect(desk.page.locator('.tray li.done')).to_contain_text('plan.txt')
        desk.say('Taken now')
        expect(desk.sees('Taken now')).to_contain_text('plan.txt')
        desk.context.unroute('**/rpc')
    desk.close()


def lost_answers(office, browser, runner):
    """The hardest case: nobody knows whether the daemon took it."""
    desk = browser.desk(office.ada, service_workers='block')
    desk.open('Bob')
    left = {'Lose the answer': 1, 'Lose the request': 1}

    def handle(route):
        body = route.request.post_data or ''
        for words in left:
            if '"method":"send"' in body and words in body and left[words]:
                left[words] -= 1
                if words == 'Lose the answer':
                    route.fetch()
                return route.abort()
        return route.continue_()

    desk.context.route('**/rpc', handle)
    with runner.step('an answer or a request is lost: each message arrives exactly once, in order'):
        texts = ['Lose the answer', 'Lose the request', 'A plain one']
        with desk.away():
            for text in texts:
                desk.say(text)
            desk.until('all have arrived', lambda: office.bob.texts('Ada')[-3:] == texts, 15)
            expect(desk.page.locator('.pending')).to_be_hidden()
        assert all(office.bob.texts('Ada').count(text) == 1 for text in texts)
        assert not any(left.values()), left
        desk.context.unroute('**/rpc')

    with runner.step('two tabs that find the same message on its way send it once'):
        desk.page.evaluate("""() => localStorage.setItem('outgoing', JSON.stringify([{ key: 'k1', state: 'new',
            conversation: location.hash.split('/')[2], who: 'Bob', text: 'Once only', time: new Date().toISOString() }]))""")
        tabs = [desk.context.new_page() for _ in range(2)]
        for tab in tabs:
            tab.goto(office.ada.url, wait_until='commit')
        for tab in tabs:
            expect(tab.locator('#list .row', has_text='Once only')).to_be_visible()
            tab.wait_for_function('localStorage.getItem("outgoing") === "[]"')
        office.settled()
        assert office.bob.texts('Ada').count('Once only') == 1, office.bob.texts('Ada')[-5:]
    desk.close()


def stop(ada, office, runner):
    with runner.step('a daemon that is stopped says so before'):
        with ada.away():
            office.ada.stop()
            expect(ada.page.locator('#banner')).to_contain_text('The daemon')
            office.ada.start()
            office.ada.ready()
            expect(ada.page.locator('#banner')).to_be_empty(timeout=15_000)
    office.settled()


def shell(ada, office, runner):
    if ada.page.evaluate('navigator.serviceWorker === undefined || !navigator.serviceWorker.controller'):
        ada.page.reload()
        ada.ready()
    if not ada.page.evaluate('Boolean(navigator.serviceWorker.controller)'):
        return
    with runner.step('the page opens while no daemon runs, says how to start it, and goes on when it does'):
        with ada.away():
            office.ada.kill()
            ada.page.reload()
            expect(ada.page.locator('main')).to_contain_text('Start it with: parlanced')
            office.ada.start()
            office.ada.ready()
            ada.ready()
            expect(ada.page.locator('#banner')).to_be_empty(timeout=15_000)
    office.settled()


def later(office, browser, runner):
    with runner.step('what could not be loaded is asked for again, and another version of it is refused'):
        desk = browser.desk(office.ada, launch=False, service_workers='block')
        if os.environ.get('PARLANCE_PAGE'):
            return
        answers = [lambda way: way.abort(), lambda way: way.fulfill(
            content_type='text/javascript', body=re.sub("version !== '.", "version !== 'x", way.fetch().text()))]
        with desk.away():
            for answer in answers:
                desk.page.route('**/later.js*', answer)
                desk.page.goto(office.ada.link())
                desk.ready()
                desk.page.evaluate("location.hash = '#/people'")
                expect(desk.page.locator('.toast')).to_contain_text('Load the page again')
                desk.page.unroute('**/later.js*')
                desk.page.evaluate("location.hash = '#/me'")
                expect(desk.page.locator('main h1')).to_be_focused()
        desk.close()
