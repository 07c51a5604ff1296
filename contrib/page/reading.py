"""Somebody reads far up while others write: nothing moves; and search leads to a message."""

from playwright.sync_api import expect

# The first message on the screen, and where it stands.
PLACE = """() => { const log = document.querySelector('.log'); const top = log.getBoundingClientRect().top;
    for (const one of document.querySelectorAll('.messages [data-id]')) { const box = one.getBoundingClientRect();
        if (box.bottom > top) return [one.dataset.id, Math.round(box.top)]; } }"""
# Notes each frame in which that message stood elsewhere.
WATCH = """([id, top]) => { window.moves = []; const look = () => {
    const one = document.querySelector(`.messages [data-id="${id}"]`);
    const at = one ? Math.round(one.getBoundingClientRect().top) : null;
    if (at === null || Math.abs(at - top) > 1) window.moves.push(at);
    window.watching = requestAnimationFrame(look); }; look(); }"""


def run(office, browser, runner):
    office.bob.send('Ada', *[f'Old message {i} ' + 'word ' * (i % 40) for i in range(400)])
    ada = browser.desk(office.ada)
    log = ada.page.locator('.log')

    with runner.step('a conversation with 400 unread messages opens at the first of them'):
        ada.open('Bob')
        expect(ada.page.locator('.messages li.new')).to_be_in_viewport()
        ada.until('scrolling is over', still(ada))
        expect(ada.row('Old message 0')).to_be_in_viewport()
        ada.page.locator('.jump').click()
        expect(ada.row('Old message 399')).to_be_in_viewport()
        expect(ada.page.locator('.jump')).to_be_hidden()

    with runner.step('200 messages arrive while the reader is scrolled up: the view does not move'):
        ada.page.mouse.move(800, 400)
        for _ in range(4):
            ada.page.mouse.wheel(0, -300)
        ada.until('scrolling is over', still(ada))
        place = ada.page.evaluate(PLACE)
        ada.page.evaluate(WATCH, place)
        for i in range(20):
            office.bob.send('Ada', *[f'Burst {i * 10 + j}' for j in range(10)])
            ada.page.wait_for_timeout(1)
        expect(ada.page.locator('.jump')).to_have_text('200 new messages')
        ada.page.evaluate('cancelAnimationFrame(window.watching)')
        moves = ada.page.evaluate('window.moves')
        assert not moves and ada.page.evaluate(PLACE) == place, (moves[:5], place, ada.page.evaluate(PLACE))
        ada.page.locator('.jump').click()
        expect(ada.row('Burst 199')).to_be_in_viewport()
        ada.until('all is read', lambda: not ada.page.title().startswith('('))

    with runner.step('200 messages arrive while the reader scrolls: the text goes only where the wheel leads'):
        numbers = []
        for i in range(40):
            ada.page.mouse.wheel(0, -400)
            office.bob.send('Ada', *[f'More {i * 5 + j}' for j in range(5)])
            numbers.append(ada.page.evaluate("""() => { const log = document.querySelector('.log');
                const top = log.getBoundingClientRect().top;
                const first = [...document.querySelectorAll('.messages [data-id]')].find(
                    (one) => one.getBoundingClientRect().bottom > top);
                const [, kind, number] = /(Old message|Burst|More) (\\d+)/.exec(first.innerText);
                return { 'Old message': 0, Burst: 1000, More: 2000 }[kind] + Number(number); }"""))
        backwards = [one for one in zip(numbers, numbers[1:]) if one[1] > one[0] and one[0] < 2000]
        assert not backwards and numbers[-1] < 1000, numbers

    with runner.step('the window stays small, and older messages come in order up to the beginning'):
        ada.until('the beginning', lambda: ada.page.mouse.wheel(0, -3000) or 'conversation begins' in
                  ada.page.locator('.above').inner_text(), 30)
        expect(ada.row('Old message 0 ')).to_be_attached()
        assert ada.page.locator('.messages .msg').count() <= 400, ada.page.locator('.messages .msg').count()
        order = ada.page.evaluate("""() => [...document.querySelectorAll('.messages .text')].map(
            (one) => Number(/Old message (\\d+)/.exec(one.innerText)?.[1] ?? NaN)).filter((one) => !Number.isNaN(one))""")
        assert order == sorted(order) and len(set(order)) == len(order)
        log.press('End')
        expect(ada.row('More 199')).to_be_in_viewport()
        ada.until('all is read', lambda: not ada.page.title().startswith('('))

    with runner.step('the keys behind Ctrl K reach the search, however fast they come'):
        place = ada.page.evaluate("""() => {
            dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
            return document.activeElement.type; }""")
        assert place == 'search', place
        ada.page.go_back()
        expect(ada.row('More 199')).to_be_in_viewport()
        log.focus()

    with runner.step('search marks what fits, a press jumps there, and Back leads to what was found'):
        ada.page.keyboard.press('Control+k')
        ada.page.keyboard.type('from:bob "old message 7"')
        hit = ada.page.locator('.hit')
        expect(hit).to_have_count(1)
        expect(hit.locator('mark').first).to_have_text('Old message 7')
        ada.page.keyboard.press('ArrowDown')
        ada.page.keyboard.press('Enter')
        expect(ada.page.locator('.found')).to_contain_text('Old message 7 ')
        expect(ada.page.locator('.found')).to_be_in_viewport()
        ada.page.go_back()
        expect(hit).to_have_count(1)


def still(desk):
    """Whether the view stands still, from one question to the next."""
    last = []

    def holds():
        last.append(desk.page.evaluate(PLACE))
        return len(last) > 5 and last[-5:] == [last[-1]] * 5
    return holds
