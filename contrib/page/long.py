"""A busy day in fast motion: thousands of messages and switches between conversations, without growth of memory."""

import os

from playwright.sync_api import expect

from places import GROUP, furnish

# More of them make a longer day.
ROUNDS = int(os.environ.get('PARLANCE_BROWSE_ROUNDS', '4'))
EACH = 80  # messages of a round, from each of two people into three conversations
SWITCHES = 12


def run(office, browser, runner):
    furnish(office)
    desk = browser.desk(office.ada)
    figures = []

    with runner.step(f'{ROUNDS} rounds of {EACH * 4} messages and {SWITCHES} switches: the heap stays as it is'):
        for number in range(ROUNDS):
            for part in range(4):
                words = [f'Day {number} {part} {i}: ' + 'a word ' * (i % 12) for i in range(EACH // 4)]
                office.bob.send('Ada', *words)
                office.bob.send(GROUP, *words)
                office.cleo.send('Ada', *words)
                office.cleo.send(GROUP, *words)
                for i in range(SWITCHES // 4):
                    desk.open(('Bob', 'Cleo', GROUP)[i % 3])
                    desk.page.locator('.log').press('Home') if i % 2 else desk.page.mouse.wheel(0, -2000)
                desk.go(('people', 'network', 'search', 'me')[part])
                expect(desk.page.locator('main h1')).to_be_visible()
            desk.open('Bob')
            desk.page.locator('.log').press('End')
            expect(desk.row(words[-1].split(':')[0])).to_be_visible(timeout=30_000)
            rest(desk, office)
            figures.append(desk.measure())
        heaps = [heap for heap, _, _ in figures]
        # The first round fills the caches, which are bounded.
        assert max(heaps[2:]) < heaps[1] * 1.25 + 2, f'MB after each round: {heaps}'
        assert figures[-1][1] < figures[1][1] * 1.25 + 500, f'nodes after each round: {[one[1] for one in figures]}'
        assert figures[-1][2] < figures[1][2] * 1.25 + 100, f'listeners after each round: {[one[2] for one in figures]}'

    runner.figure('the heap after each round', ' '.join(f'{heap:.1f}' for heap in heaps) + ' MB')
    runner.figure('nodes and listeners after the last', f'{figures[-1][1]}, {figures[-1][2]}')


def rest(desk, office):
    """Waits until the page has everything, and shows the end of each conversation."""
    office.settled()
    for who in ('Cleo', GROUP, 'Bob'):
        desk.open(who)
        desk.page.locator('.log').press('End')
        expect(desk.page.locator('.jump')).to_be_hidden()
