"""Texts that somebody wrote to do harm: the largest, marks of direction, tags in every name, and random ones from a seed."""

import os
import random
import time

from playwright.sync_api import expect

from office import Refused, until
from places import share

SEED = int(os.environ.get('PARLANCE_BROWSE_SEED', '0')) or random.SystemRandom().randrange(1, 1 << 32)
TAG = '<img src=x onerror="bad=1"><script>bad=1</script>'
NAME = '<b>Bob</b><img src=x>'
RIGHT_TO_LEFT = '\u202e'
LARGEST = 65_536
# Seconds that one such text may keep the page, on a busy machine; what grew with the square of its length took minutes.
LONGEST = 5

# A text of 64 KiB each, that costs much if a rule is tried at each place anew.
LARGE = {
    'plain words': 'word ' * (LARGEST // 5),
    'one word': 'w' * LARGEST,
    '10,000 emoji': '\N{GRINNING FACE}' * 10_000,
    'beginnings of bold': '**a ' * (LARGEST // 4),
    'beginnings of italics': '*a _b ' * (LARGEST // 6),
    'beginnings of code': '```x\n' * (LARGEST // 5),
    'stars': '*' * LARGEST,
    'links': 'http://a.b ' * (LARGEST // 11),
    'a long link': 'https://example.org/' + '(' * (LARGEST - 20),
    'marks of direction': '\u202e\u2066a' * (LARGEST // 7),
    'empty lines': 'a' + '\n' * (LARGEST - 2) + 'b',
    'lists': '- a\n1. b\n' * (LARGEST // 9),
}
# As large, but its whole is not shown: to draw it takes Chromium seconds each time.
ACCENTS = 'a' + '\u0301' * 30_000
PIECES = ['**', '*', '_', '`', '```', '```\n', '\n', '\n- ', '\n1. ', '  ', 'a', 'word', 'שלום', 'مرحبا', '\u202e', '\u2066', '\u200f',
          '\u0301', '\N{GRINNING FACE}', '\u200d', '\ufe0f', '<b>', '</p>', '<script>bad=1</script>', '&lt;', '"', "'", '{1}', '${bad=1}',
          'https://example.org/', 'http://', 'javascript:bad=1', 'mailto:a@b', '@Ada', '@all', ':heart:', '\\', '()', '[x](y)', '\t']

# What is in a text beside text: kinds of elements and attributes that should not be, and links that lead elsewhere.
FOREIGN = """() => [...document.querySelectorAll('.messages .text, .messages .text *')].flatMap((one) => [
    /^(DIV|P|STRONG|EM|CODE|PRE|UL|OL|LI|A|B|BUTTON)$/.test(one.tagName) ? '' : one.tagName,
    ...[...one.attributes].filter(({ name, value }) => !/^(class|dir|start|tabindex|target|rel|type)$/.test(name)
        && !(name === 'href' && /^(https?:\\/\\/|mailto:)/.test(value))).map(({ name, value }) => `${name}=${value}`)]).filter(Boolean)"""
HARMED = "window.bad !== undefined || document.querySelector('main img, main script, #list img, #list script, #details img') !== null"
SHOWN = """() => [...document.querySelectorAll('.messages .msg')].map((one) => [one.dataset.id,
    one.querySelector('.text')?.textContent ?? ''])"""


def run(office, browser, runner):
    ada = browser.desk(office.ada)
    names(ada, office, runner)
    arbitrary(ada, office, runner)
    large(ada, office, runner)


def unharmed(desk, what):
    found = desk.page.evaluate(FOREIGN)
    assert not found, f'{what}: {found[:3]}'
    assert not desk.page.evaluate(HARMED), what
    wide = desk.page.evaluate('document.documentElement.scrollWidth')
    assert wide <= 1280, f'{what}: the page is {wide} px wide'


def names(ada, office, runner):
    with runner.step('tags and marks of direction in a name, a title, a topic, a status and the name of a file are text'):
        bad = RIGHT_TO_LEFT + TAG
        eve = office.join(NAME, 5)
        group = office.ada.ask('group.create', title=bad[:180], who=[eve.id])['id']
        until('Eve joins', lambda: any(
            one['id'] == group for one in eve.ask('conversations')['conversations']))
        office.ada.ask('group.topic', group=group, topic=bad)
        eve.ask('presence', state='busy', text=bad)
        share(eve, '<img src=x onerror=bad=1>.txt', 'x', group)
        title = ada.page.locator('#list .name', has_text='<img src=x onerror')
        expect(title.first).to_be_visible()
        title.first.click()
        expect(ada.page.locator('.conversation .file')).to_contain_text('_img src=x onerror=bad=1_.txt')
        expect(ada.page.locator('.messages .who').first).to_contain_text(NAME)
        ada.page.locator('.bar').get_by_label('Details').click()
        expect(ada.page.locator('#details')).to_contain_text('<img src=x onerror')
        unharmed(ada, 'a group')
        for place in ('people', 'network', 'outbox', 'me'):
            ada.go(place)
            expect(ada.page.locator('main h1')).to_be_focused()
            unharmed(ada, place)
        assert not ada.page.evaluate("/[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.querySelector('#list').innerText)")
        eve.ask('group.leave', group=group)
        until('nothing waits', lambda: eve.ask('outbox')['total'] == 0)
        until('nothing waits', lambda: office.ada.ask('outbox')['total'] == 0)
        eve.stop()
        office.nodes.remove(eve)
        office.settled()


def large(ada, office, runner):
    with runner.step(f'{len(LARGE)} texts of 64 KiB: each is shown, whole after a press, and none keeps the page'):
        for i, (what, text) in enumerate(LARGE.items()):
            if i % 3 == 0:  # What is shown as a whole is drawn again with each change.
                ada.page.reload()
                ada.ready()
                ada.open('Bob')
                ada.page.locator('.log').press('End')  # It opens at the first unread text.
            text = text[:LARGEST].strip()
            while len(text.encode()) > LARGEST:
                text = text[:-1000]
            sent = office.bob.ask('send', who='Ada', text=text)['id']
            row = ada.page.locator(f'.messages [data-id="{sent}"]')
            expect(row).to_be_visible()
            began = time.monotonic()
            row.get_by_role('button', name='Show the whole text').evaluate(
                '(one) => { one.click(); return document.querySelector(".log").scrollHeight; }')
            took = time.monotonic() - began
            assert took < LONGEST, f'{what}: {took:.1f} s'
            letters = lambda all: ''.join(one for one in all if one not in ' \n*_`-1.')  # noqa: E731
            got = row.locator('.text').evaluate('(one) => one.textContent')
            assert letters(got) == letters(text), f'{what}: {len(letters(got))} of {len(letters(text))} characters'
        sent = office.bob.ask('send', who='Ada', text=ACCENTS)['id']
        expect(ada.page.locator(f'.messages [data-id="{sent}"]')).to_be_visible()
        unharmed(ada, 'large texts')
        ada.say('After all that')
        ada.sees('After all that')


def arbitrary(ada, office, runner):
    ada.open('Bob')
    chance = random.Random(SEED)
    with runner.step(f'200 random texts (seed {SEED}): only text, in the order in which it was written'):
        for _ in range(10):
            texts = {}
            for _ in range(20):
                text = ''.join(chance.choice(PIECES) for _ in range(chance.randrange(1, 40)))
                try:
                    texts[office.bob.ask('send', who='Ada', text=text)['id']] = text
                except Refused:
                    continue
            expect(ada.page.locator(f'.messages [data-id="{list(texts)[-1]}"]')).to_be_attached()
            for id, shown in ada.page.evaluate(SHOWN):
                rest = iter(texts.get(id, shown))
                assert all(one in rest for one in shown if not one.isspace()), f'{texts[id]!r} became {shown!r}'
            unharmed(ada, 'random texts')
