"""The views beside the chat: people, verifying, network, outbox, doctor, you, settings, banners, requests."""

import re

from playwright.sync_api import expect

from office import Node, until


def run(office, browser, runner):
    ada = browser.desk(office.ada)
    person(ada, office, runner)
    me(ada, office, runner)
    alone(ada, office, runner)
    stranger(ada, office, runner)


def person(ada, office, runner):
    details = ada.page.locator('#details')
    with runner.step('Bob is verified by his number, and marked from then on'):
        ada.go('people')
        ada.page.get_by_role('group', name='All people').locator('button.row', has_text='Bob').click()
        expect(details.locator('.big')).to_have_text('Bob')
        number = office.bob.ask('verify', who=office.ada.id)['number']
        details.locator('[data-key=verify]').click()
        expect(ada.page.locator('dialog .number')).to_be_visible()
        shown = ada.page.locator('dialog .number span').all_inner_texts()
        assert ' '.join(shown) == number, (shown, number)
        ada.page.get_by_role('button', name='They are the same').click()
        expect(ada.page.locator('dialog')).to_contain_text('You have verified Bob')
        ada.page.keyboard.press('Escape')
        expect(details.locator('.big')).to_have_text('Bob ✓')
        expect(ada.page.locator('#list .name', has_text='Bob ✓')).to_have_count(1)
        office.ada.ask('verify', who=office.bob.id, confirm=False)
        expect(details.locator('.big')).to_have_text('Bob')

    with runner.step('when he was here in the last week: drawn, and as a table'):
        expect(details.locator('svg.week .part')).to_have_count(len(office.ada.ask('seen', who=office.bob.id)['hours']))
        details.locator('details[data-key=week] summary').click()
        expect(details.locator('details[data-key=week] tbody tr').first).to_contain_text('Today')

    with runner.step('a conversation is pinned, an alias given and taken back'):
        details.locator('[data-key=pin]').click()
        expect(ada.page.locator('#list .row').first).to_contain_text('pinned')
        expect(ada.page.locator('#list .row').first).to_contain_text('Bob')
        details.locator('[data-key=alias]').fill('Bobby')
        ada.page.keyboard.press('Enter')
        expect(ada.page.locator('#list .name', has_text='Bobby')).to_have_count(1)
        details.locator('[data-key=alias]').fill('')
        ada.page.keyboard.press('Enter')
        expect(ada.page.locator('#list .name', has_text='Bobby')).to_have_count(0)
        details.locator('[data-key=pin]').click()
        expect(ada.page.locator('#list .marks', has_text='pinned')).to_have_count(0)
        ada.page.keyboard.press('Escape')


def me(ada, office, runner):
    with runner.step('presence and a status text reach Bob, and the name changes'):
        ada.go('me')
        ada.page.get_by_label('busy').check()
        ada.page.get_by_label('Status text').fill('in the engine room')
        ada.page.get_by_role('button', name='Set presence').click()
        until('Bob sees it', lambda: office.bob.peer('Ada').get('statusText') == 'in the engine room'
              and office.bob.peer('Ada')['presence'] == 'busy')
        expect(ada.page.locator('#list .me')).to_contain_text('in the engine room')
        ada.page.get_by_label('online').check()
        ada.page.get_by_label('Status text').fill('')
        ada.page.get_by_role('button', name='Set presence').click()
        ada.page.get_by_role('textbox', name='Your name').fill('Ada L')
        ada.page.keyboard.press('Enter')
        expect(ada.page.locator('#list .me')).to_contain_text('Ada L')
        ada.page.get_by_role('textbox', name='Your name').fill('Ada')
        ada.page.keyboard.press('Enter')
        expect(ada.page.locator('.toast')).to_contain_text('Your name is now Ada.')

    with runner.step('each setting tells what it is for, and the command that changes it'):
        setting = ada.page.locator('details.setting', has_text='page-port')
        setting.locator('summary').click()
        expect(setting.locator('.command')).to_contain_text(re.compile(r'parlance --data-dir \S+ config set page-port 7601'))
        assert ada.page.locator('details.setting').count() == len(office.ada.ask('config.list')['settings'])

    with runner.step('a workspace is made, somebody waits and is let in, and it is left'):
        ada.page.get_by_role('button', name='Create a workspace…').click()
        ada.page.keyboard.type('Office')
        ada.page.keyboard.press('Enter')
        expect(ada.page.locator('.page')).to_contain_text('This node is in the workspace Office.')
        ada.page.get_by_role('button', name='Let members in yourself…').click()
        expect(ada.page.locator('dialog')).to_contain_text('knows no other member yet')
        ada.page.get_by_role('button', name='Let members in myself').click()
        # An invitation is refused until the page's request is done.
        expect(ada.page.locator('.page')).to_contain_text('An admin lets each new member in.')
        office.ada.ask('workspace.policy', name='retention', value='90 days')
        office.ada.ask('workspace.invite', uses=3)
        for text in ('3 of 3 left', '90 days, suggested by You'):
            expect(ada.page.locator('.page')).to_contain_text(text)
        gus = Node(office.ada.programs, office.work, 'Gus', 9)
        gus.others = [office.ada]
        gus.start()
        gus.ready()
        gus.ask('workspace.join', code=office.ada.ask('workspace.show')['workspace']['code'])
        ada.page.get_by_role('button', name='Let Gus in').click(timeout=30_000)
        until('Gus is in', lambda: gus.ask('workspace.show')['workspace']['charter']['isMember'])
        expect(ada.page.get_by_role('button', name='Let Gus in')).to_have_count(0)
        gus.stop()
        ada.page.get_by_role('button', name='Leave the workspace…').click()
        ada.page.locator('dialog .danger').click()
        expect(ada.page.locator('.page')).to_contain_text('in no workspace')
        office.settled()


def alone(ada, office, runner):
    banner = ada.page.locator('#banner')
    with runner.step('Bob and Cleo go: the banner, the drawing and the outbox say what waits for whom'):
        ada.go('network')
        expect(ada.page.locator('.lead')).to_contain_text('2 connected')
        expect(ada.page.locator('svg.net .node.direct')).to_have_count(2)
        for node in (office.bob, office.cleo):
            node.stop()
        expect(banner).to_contain_text('Messages wait and go out by themselves', timeout=20_000)
        office.ada.send('Bob', 'For later', 'For later too')
        expect(ada.page.locator('svg.net .waits')).to_contain_text('2')
        expect(ada.page.locator('table', has_text='Bob').locator('tr', has_text='Bob')).to_contain_text('2')
        ada.page.locator('#list .foot').get_by_text('2 messages wait').click()
        items = ada.page.locator('.page li.card')
        expect(items).to_have_count(2)
        expect(items.first.locator('.why')).not_to_be_empty()

    with runner.step('one is cancelled; the doctor says why the other waits'):
        items.last.get_by_role('button', name='Cancel').click()
        ada.page.locator('dialog .danger').click()
        expect(items).to_have_count(1)
        ada.go('doctor')
        expect(ada.page.locator('main h1')).to_be_visible()
        ada.until('there is a finding', lambda: ada.page.locator('.page .notice, .page .card').count())

    with runner.step('they come back: the banner goes, what waited arrives, the status follows'):
        ada.open('Bob')
        expect(ada.row('For later').locator('.status')).to_contain_text('waits')
        for node in (office.bob, office.cleo):
            node.start()
            node.ready()
        expect(ada.row('For later').locator('.status')).to_contain_text('delivered', timeout=20_000)
        expect(banner).to_be_empty()
        office.settled()
        assert office.bob.texts('Ada').count('For later') == 1 and 'For later too' not in office.bob.texts('Ada')


def stranger(ada, office, runner):
    with runner.step('a stranger asks to talk: shown with what they wrote, accepted by a press, answered'):
        dan = Node(office.ada.programs, office.work, 'Dan', 4)
        dan.others = [office.ada]
        office.nodes.append(dan)
        dan.start()
        dan.ready()
        until('Dan sees Ada', lambda: (dan.peer('Ada') or {}).get('connected'))
        dan.send(office.ada.id, 'Hello, I am Dan from deck 3')
        request = ada.page.locator('#list .row', has_text='Dan')
        expect(request).to_contain_text('Hello, I am Dan from deck 3')
        request.click()
        ada.page.locator('.contact').get_by_role('button', name='Accept').click()
        ada.sees('Hello, I am Dan from deck 3')
        expect(ada.page.locator('.contact')).to_be_hidden()
        ada.say('Welcome aboard')
        until('Dan has it', lambda: 'Welcome aboard' in dan.texts(office.ada.id))

    with runner.step('he is blocked after a question, and that ends again'):
        ada.page.locator('.bar').get_by_label('Details').click()
        ada.page.locator('#details [data-key=block]').click()
        ada.page.locator('dialog .danger').click()
        expect(ada.page.locator('.contact')).to_contain_text('Dan is blocked')
        expect(ada.field).to_have_count(0)
        ada.page.locator('.contact').get_by_role('button', name='End the block').click()
        expect(ada.field).to_have_count(1)
        dan.stop()
        office.nodes.remove(dan)
