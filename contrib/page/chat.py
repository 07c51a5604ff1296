"""Two people chat: messages, statuses, answers, reactions, edits, deletions, drafts, the line "New", Markdown, links."""

from playwright.sync_api import expect


def run(office, browser, runner):
    ada, bob = browser.desk(office.ada), browser.desk(office.bob)
    ada.open('Bob')
    bob.go('people')
    expect(bob.page.locator('main h1')).to_have_text('All people')
    talk(ada, bob, runner)
    change(ada, bob, runner)
    away(ada, bob, office, runner)
    write(ada, bob, office, runner)


def talk(ada, bob, runner):
    with runner.step('Ada writes while Bob looks elsewhere: delivered, and counted as unread'):
        ada.say('Are you there?')
        expect(ada.sees('Are you there?').locator('.status')).to_contain_text('delivered')
        expect(bob.page.locator('#list .row', has_text='Are you there?').locator('.badge')).to_contain_text('1')
        bob.until('the title counts', lambda: bob.page.title().startswith('(1)'))

    with runner.step('Bob opens the conversation: read'):
        bob.open('Ada')
        expect(ada.row('Are you there?').locator('.status')).to_contain_text('read')
        bob.until('the title counts nothing', lambda: not bob.page.title().startswith('('))

    with runner.step('Bob types: Ada sees it, and that it is over'):
        bob.field.press_sequentially('I am here')
        expect(ada.page.locator('.typing')).to_have_text('Bob is typing…')
        bob.page.keyboard.press('Enter')
        ada.sees('I am here')
        expect(ada.page.locator('.typing')).to_have_text('')
        expect(bob.row('I am here').locator('.status')).to_contain_text('read')
        expect(bob.field).to_have_value('')

    with runner.step('Bob answers Ada, and the quote jumps to what it answers'):
        bob.tool('Are you there?', 'reply')
        expect(bob.page.locator('.aim')).to_contain_text('Answer to Ada')
        bob.say('Since seven')
        quote = ada.sees('Since seven').locator('.quote')
        expect(quote).to_contain_text('Are you there?')
        quote.click()
        expect(ada.page.locator('.found')).to_contain_text('Are you there?')


def change(ada, bob, runner):
    with runner.step('Ada reacts, Bob joins and takes his back'):
        ada.tool('Since seven', 'react')
        ada.page.locator('.picker button').first.click()
        chip = bob.row('Since seven').locator('.reactions button')
        expect(chip).to_have_count(1)
        chip.click()
        expect(ada.row('Since seven').locator('.reactions')).to_contain_text('2')
        expect(chip).to_have_attribute('aria-pressed', 'true')
        chip.click()
        expect(ada.row('Since seven').locator('.reactions')).not_to_contain_text('2')

    with runner.step('Ada edits her last message with Up'):
        ada.say('See you at tne')
        bob.sees('See you at tne')
        ada.field.press('ArrowUp')
        expect(ada.field).to_have_value('See you at tne')
        ada.say('See you at ten')
        row = bob.sees('See you at ten')
        expect(row.locator('[data-key=edited]')).to_have_text('edited')
        expect(bob.page.locator('.messages', has_text='See you at tne')).to_have_count(0)

    with runner.step('the way of a message: for whom, how far, its versions'):
        ada.row('See you at ten').locator('.status').click()
        details = ada.page.locator('#details')
        expect(details.locator('table')).to_contain_text('Bob')
        expect(details.locator('table')).to_contain_text('read')
        expect(details.locator('.versions li')).to_have_count(2)
        expect(details.locator('svg.way')).to_be_visible()
        ada.page.keyboard.press('Escape')
        expect(details).to_be_hidden()

    with runner.step('the way of a message follows what happens while its first answer is under way'):
        bob.go('me')
        ada.say('Look at this')
        expect(ada.sees('Look at this').locator('.status')).to_contain_text('delivered')
        held = []

        def hold(route):
            if '"info"' in (route.request.post_data or '') and not held:
                held.append((route, route.fetch()))
            else:
                route.continue_()
        ada.page.route('**/rpc', hold)
        ada.row('Look at this').locator('.status').click()
        ada.until('the answer is there', lambda: held)
        bob.open('Ada')
        expect(ada.row('Look at this').locator('.status')).to_contain_text('read')
        held[0][0].fulfill(response=held[0][1])
        expect(details.locator('table')).to_contain_text('read')
        ada.page.unroute('**/rpc')
        ada.page.keyboard.press('Escape')

    with runner.step('Ada deletes a message after a question'):
        ada.say('Said in haste')
        bob.sees('Said in haste')
        ada.tool('Said in haste', 'more')
        ada.page.get_by_role('menuitem', name='Delete').click()
        ada.page.locator('dialog .danger').click()
        expect(bob.page.locator('.msg').last).to_contain_text('(deleted by Ada)')
        expect(ada.page.locator('.msg').last).to_contain_text('(deleted by you)')


def away(ada, bob, office, runner):
    with runner.step('what comes while Bob is elsewhere stands behind the line "New"'):
        bob.go('me')
        expect(bob.page.locator('main h1')).to_have_text('You')
        office.ada.send('Bob', *[f'News {i}' for i in range(3)])
        expect(bob.page.locator('#list .row', has_text='News 2').locator('.badge')).to_contain_text('3')
        bob.open('Ada')
        expect(bob.page.locator('.messages li.new + li')).to_contain_text('News 0')
        expect(bob.page.locator('#list .badge')).to_have_count(0)

    with runner.step('a draft survives a reload, and the list shows it'):
        bob.field.fill('Half a thought')
        bob.page.reload()
        expect(bob.field).to_have_value('Half a thought')
        bob.go('people')
        expect(bob.page.locator('#list .row', has_text='Half a thought')).to_contain_text('Draft:')
        bob.open('Ada')
        expect(bob.field).to_have_value('Half a thought')
        bob.field.fill('')


def write(ada, bob, office, runner):
    with runner.step('Markdown: bold, italics, code, lists'):
        ada.field.fill('**loud** *soft* `x < y`\n- one\n- two\n```\nlet a = 1\n```')
        ada.page.keyboard.press('Enter')
        text = bob.page.locator('.msg', has_text='loud').last.locator('.text')
        for place, words in (('strong', 'loud'), ('em', 'soft'), ('p code', 'x < y'), ('pre code', 'let a = 1')):
            expect(text.locator(place)).to_have_text(words)
        expect(text.locator('ul li')).to_have_count(2)

    with runner.step('links lead only where they say, and tell nothing of the page'):
        office.bob.send('Ada', 'See https://example.org/a?b=1 and javascript:alert(1) [x](javascript:alert(2)) data:text/html,x')
        links = ada.sees('See https').locator('a')
        expect(links).to_have_count(1)
        expect(links).to_have_attribute('href', 'https://example.org/a?b=1')
        expect(links).to_have_attribute('rel', 'noopener noreferrer')
        expect(links).to_have_attribute('target', '_blank')

    with runner.step('what looks like HTML stays text, in the history, the list, names and titles'):
        bad = '<img src=x onerror="window.bad=1"><script>window.bad=2</script><b>not bold</b>'
        office.bob.send('Ada', bad)
        expect(ada.row('not bold').locator('.text')).to_have_text(bad)
        expect(ada.page.locator('#list .row', has_text='not bold')).to_be_visible()
        office.ada.ask('alias', who=office.bob.id, name='<i>Bob</i>')
        expect(ada.page.locator('#list .name', has_text='<i>Bob</i>')).to_have_count(1)
        office.ada.ask('alias', who=office.bob.id, name='')
        expect(ada.page.locator('#list .name', has_text='<i>Bob</i>')).to_have_count(0)
        assert ada.page.evaluate('window.bad === undefined && !document.querySelector('
                                 '"main img, main script, main .text b, #list b, #list i")')

    with runner.step('a blank text is not sent, Shift+Enter breaks, and the field grows to five lines'):
        ada.field.fill('  \n ')
        expect(ada.page.locator('.send')).to_be_disabled()
        ada.field.fill('')
        low = ada.field.bounding_box()['height']
        heights = []
        for i in range(9):
            ada.page.keyboard.type(f'line {i}')
            ada.page.keyboard.press('Shift+Enter')
            heights.append(ada.field.bounding_box()['height'])
        assert heights[3] > low * 2 and heights[8] == heights[6], heights
        ada.field.fill('')

    with runner.step('names and emoji complete'):
        ada.field.press_sequentially('@b')
        ada.page.keyboard.press('Tab')
        ada.field.press_sequentially(':hear')
        ada.page.keyboard.press('Enter')
        ada.until('the field has both', lambda: '@Bob ' in ada.field.input_value() and '❤' in ada.field.input_value())
        ada.field.fill('')
