"""Groups: made, written in, added to, renamed, left."""

from playwright.sync_api import expect


def run(office, browser, runner):
    ada, bob = browser.desk(office.ada), browser.desk(office.bob)

    with runner.step('Ada makes a group with Bob, who sees it'):
        ada.page.get_by_label('New conversation').click()
        ada.page.locator('dialog .row', has_text='group').first.click()
        dialog = ada.page.locator('dialog')
        dialog.get_by_label('Title').fill('Night watch')
        dialog.locator('label.row', has_text='Bob').locator('input').check()
        dialog.get_by_role('button', name='Create the group').click()
        expect(ada.page.locator('.conversation h1')).to_have_text('Night watch')
        expect(ada.field).to_have_attribute('placeholder', 'Message to Night watch')
        bob.open('Night watch')
        expect(bob.page.locator('.messages .note').first).to_contain_text('Ada created the group')

    with runner.step('both write; each sees who reads'):
        ada.say('Who has the keys?')
        bob.sees('Who has the keys?')
        expect(ada.row('Who has the keys?').locator('.status')).to_contain_text('read by Bob')
        bob.say('@Ada I have them')
        row = ada.sees('I have them')
        expect(row.locator('.mention')).to_have_text('@Ada')
        expect(row.locator('.who')).to_have_text('Bob')

    with runner.step('a mention stands out where one stands, and nowhere else: not in code, quotations, addresses and links'):
        none = ['> @Ada wrote', '`@Ada`', 'to=@Ada', 'x@Ada.de', 'ghcr.io/x:@Ada', 'https://x.org/@Ada', 'href="@Ada"',
                '@Ada:x.org', '@Ada/core', '<code>@Ada</code>', 'mailto:@Ada']
        bob.field.fill('\n'.join(['\U0001f511 all of it:', *none, '', '- **@Ada**, @ada', '', '*@all*: here']))
        bob.page.keyboard.press('Enter')
        row = ada.sees('all of it')
        expect(row.locator('.mention')).to_have_text(['@Ada', '@ada', '@all'])
        expect(row.locator('strong .mention')).to_have_count(1)
        expect(row.locator('li .mention')).to_have_count(2)
        office.bob.send('Night watch', 'one\r\n\r\n1. two\r\n2. for @Ada\r\nand \U0001f511@Ada')
        expect(ada.sees('and \U0001f511').locator('.mention')).to_have_text(['@Ada', '@Ada'])

    with runner.step('Ada adds Cleo, who gets what is written from now on'):
        ada.page.locator('.bar').get_by_label('Details').click()
        details = ada.page.locator('#details')
        details.locator('[data-key=add]').click()
        ada.page.locator('dialog label.row', has_text='Cleo').locator('input').check()
        ada.page.get_by_role('button', name='Add', exact=True).click()
        expect(details.locator('.rows li')).to_have_count(3)
        cleo = browser.desk(office.cleo)
        cleo.open('Night watch')
        ada.page.keyboard.press('Escape')
        ada.say('Welcome, Cleo')
        cleo.sees('Welcome, Cleo')
        expect(ada.row('Welcome, Cleo').locator('.status')).to_contain_text('read by')
        expect(ada.page.locator('.conversation .bar p')).to_contain_text('2 of 2 here')

    with runner.step('Ada renames it and sets a topic; everybody sees both'):
        ada.page.locator('.bar').get_by_label('Details').click()
        details.locator('[data-key=rename]').click()
        ada.page.locator('dialog input').fill('Day watch')
        ada.page.keyboard.press('Enter')
        expect(details.locator('.big')).to_have_text('Day watch')
        details.locator('[data-key=topic]').click()
        ada.page.locator('dialog input').fill('Who sleeps when')
        ada.page.keyboard.press('Enter')
        expect(details.locator('.head')).to_contain_text('Who sleeps when')
        for desk in (bob, cleo):
            expect(desk.page.locator('.conversation h1')).to_have_text('Day watch')
            expect(desk.field).to_have_attribute('placeholder', 'Message to Day watch')
            expect(desk.page.locator('.messages .note').last).to_contain_text('Who sleeps when')

    with runner.step('Bob becomes an admin, mutes the group and ends that'):
        details.locator('button.row', has_text='Bob').click()
        ada.page.get_by_role('menuitem', name='Make an admin').click()
        expect(details.locator('button.row', has_text='Bob')).to_contain_text('admin')
        bob.page.locator('.bar').get_by_label('Details').click()
        mute = bob.page.locator('#details [data-key=mute]')
        mute.select_option('3600')
        muted = bob.page.locator('#list .row', has_text='Day watch').locator('.marks', has_text='muted')
        expect(muted).to_have_count(1)
        mute.select_option('off')
        expect(muted).to_have_count(0)

    with runner.step('Cleo leaves: she cannot write any more, and Ada sees it'):
        cleo.page.locator('.bar').get_by_label('Details').click()
        cleo.page.locator('#details [data-key=leave]').click()
        cleo.page.locator('dialog .danger').click()
        expect(cleo.page.locator('#details')).to_contain_text('You left this group')
        expect(cleo.page.locator('.contact')).to_contain_text('You are not a member of Day watch any more')
        expect(cleo.field).to_have_count(0)
        expect(ada.page.locator('.messages .note').last).to_contain_text('Cleo left')
        expect(details.locator('.rows li')).to_have_count(2)

    with runner.step('Ada hides, clears and deletes the group: only hers, after a question, and it comes back on request'):
        ada.page.keyboard.press('Escape')
        row = ada.page.locator('#list .row', has_text='Day watch')

        def choose(desk, name):
            desk.page.locator('.bar').get_by_label('More about this conversation').click()
            desk.page.get_by_role('menuitem', name=name).click()

        choose(ada, 'Hide')
        expect(row).to_have_count(0)
        bob.say('Are you there?')
        expect(row).to_have_count(1)
        ada.open('Day watch')
        choose(ada, 'Clear…')
        expect(ada.page.locator('dialog')).to_contain_text('The others keep what they have.')
        ada.page.locator('dialog').get_by_role('button', name='Cancel').click()
        expect(ada.row('Are you there?')).to_be_visible()
        choose(ada, 'Clear…')
        ada.page.locator('dialog .danger').click()
        expect(ada.page.locator('.messages .msg')).to_have_count(0)
        expect(bob.row('Are you there?')).to_be_visible()
        choose(ada, 'Delete…')
        expect(ada.page.locator('dialog')).to_contain_text('You stay a member')
        ada.page.locator('dialog .danger').click()
        expect(row).to_have_count(0)
        bob.say('Nobody?')
        bob.sees('Nobody?')
        expect(row).to_have_count(0)
        office.ada.ask('conversation.show', who='Day watch')
        expect(row).to_have_count(1)
