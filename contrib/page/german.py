"""The page in German: whole sentences, dates and numbers, in every view."""

import re

from playwright.sync_api import expect

from places import GROUP, PLACES, furnish, shown

# Words that stand in every English view, and in no German one.
ENGLISH = re.compile(r'\b(the|and|with|your|nobody|messages|Search|Close|Settings|delivered|waits)\b')
# The values that a setting takes are written as in a file, in every language.
VALUES = re.compile(r'Eines von [^.]*\.')
# What the daemon or the people wrote, code, and commands.
FOREIGN = 'code, .mono, .text, .second, .excerpt, .quote, .command, .note, pre, .value, .cut, .task'


def run(office, browser, runner):
    furnish(office)
    desk = browser.desk(office.ada, locale='de-DE')

    with runner.step('the page greets in German'):
        assert desk.page.evaluate('document.documentElement.lang').startswith('de')
        expect(desk.page.locator('#list .find')).to_contain_text('such', ignore_case=True)
        desk.open('Bob')
        expect(desk.page.locator('.send')).to_have_text('Senden')
        expect(desk.page.locator('.day').last).to_have_text('Heute')
        expect(desk.field).to_have_attribute('placeholder', 'Nachricht an Bob')

    with runner.step('a change of a group is told in German'):
        desk.open(GROUP)
        note = desk.page.locator('.messages .note', has_text=f'Du hast die Gruppe „{GROUP}“ angelegt und ')
        expect(note).to_have_count(1)
        desk.open('Bob')

    with runner.step('a page whose sentences do not come uses those that it had'):
        other = browser.desk(office.ada, locale='de-DE', service_workers='block')
        other.page.route('**/words', lambda route: route.abort())
        with other.away():
            other.page.reload()
            other.open('Bob')
            expect(other.page.locator('.send')).to_have_text('Senden')
        assert other.page.evaluate('document.documentElement.lang') == 'de'
        other.close()

    with runner.step(f'no English sentence in any of {len(PLACES)} views'):
        for name in PLACES:
            if name in ('message menu', 'reactions'):
                continue
            with shown(desk, name):
                words = desk.page.evaluate("""(foreign) => { const found = [];
                    const walk = (node) => { if (node.nodeType === 3) found.push(node.data);
                        else if (node.nodeType === 1 && !node.matches(foreign + ', script, style, noscript')) {
                            for (const key of ['aria-label', 'title', 'placeholder'])
                                if (node.getAttribute(key)) found.push(node.getAttribute(key));
                            node.childNodes.forEach(walk); } };
                    walk(document.body); return found; }""", FOREIGN)
                english = [one for one in words if ENGLISH.search(VALUES.sub('', one))]
                assert not english, f'{name}: {english[:3]}'
