"""Everything that the page can show, each as a function that opens it; for the jobs that look at all of it."""

import os
from contextlib import contextmanager

from playwright.sync_api import expect

GROUP = 'Harbour office'


def furnish(office):
    """Something of every kind to look at."""
    ada, bob, cleo = office.nodes
    if not any(one['title'] == GROUP for one in ada.ask('conversations')['conversations']):
        ada.ask('group.create', title=GROUP, who=[bob.id, cleo.id])
        ada.ask('group.topic', group=GROUP, topic='Ships, cranes, coffee')
    ada.send(GROUP, 'Who unloads the *Aurora* on **Friday**?\n- crane 2\n- crane 4')
    office.settled()
    bob.send(GROUP, 'Ada, please send the crane plan by Monday, 12:00')
    bob.send(GROUP, '@Ada crane 4 is mine, see https://example.org/plan')
    ada.send('Bob', 'Friday at ten then')
    office.settled()
    bob.ask('reply', id='last:Ada', text='Friday it is, שלום')
    bob.send('Ada', '```\nport = 4747\n```\nwith `config.yaml`')
    office.settled()
    ada.ask('react', id='last:Bob', emoji='👍')
    ada.ask('edit', id='last:Bob', text='Friday at ten then!')
    for who, name, text in ((ada, 'list.txt', 'crane'), (bob, 'plan.txt', 'plan')):
        share(who, name, text)


def share(node, name, text, who=GROUP):
    """Sends a small file."""
    slot = node.ask('file.prepare')
    with open(slot['path'], 'w') as file:
        file.write(text)
    file = node.ask('file.add', name=slot['name'])['file']
    node.ask('send', who=who, text='', files=[{'file': file, 'name': name}])


def _page(name):
    def opened(desk):
        desk.go(name)
        expect(desk.page.locator('main h1')).to_be_focused() if name != 'search' else \
            expect(desk.page.locator('main input[type=search]')).to_be_focused()
        expect(desk.page.locator('.page .stack').first).not_to_be_empty()
    return opened


def _search(desk):
    _page('search')(desk)
    desk.page.locator('main input[type=search]').fill('friday')
    expect(desk.page.locator('.hit mark').first).to_be_visible()


def _act(code):
    """Calls an action of the page, as a button does."""
    def opened(desk):
        desk.page.evaluate("""async (code) => { const { actions } = await import('/views.js');
            const { state } = await import('/state.js');
            const peer = [...state.peers.values()].find((one) => one.name === 'Bob').id;
            const conversation = (title) => [...state.conversations.values()].find((one) => one.title === title);
            const last = conversation('Bob').lastMessage.id;
            ({ person: () => actions.person(peer), life: () => actions.life(last), new: () => actions.newConversation(),
               group: () => actions.groupDetails(conversation('Harbour office').id) })[code](); }""", code)
        expect(desk.page.locator('#details:not([hidden]), dialog').first).to_be_visible()
        if code != 'new':
            expect(desk.page.locator('.details-body .stack > *, dialog .stack > *').first).to_be_visible()
    return opened


def _verify(desk):
    _act('person')(desk)
    desk.page.locator('[data-key=verify]').click()
    expect(desk.page.locator('dialog .number')).to_be_visible()


def _new_group(desk):
    _act('new')(desk)
    desk.page.locator('dialog .row').first.click()
    expect(desk.page.locator('dialog form')).to_be_visible()


def _conversation(title):
    def opened(desk):
        desk.go('')
        desk.open(title)
    return opened


def _assistant_off(desk):
    desk.node.ask('assistant', on=False)
    desk.go('assistant')
    expect(desk.page.locator('main [data-key=on]')).to_be_visible()


def _answers(place):
    """Asks for what the assistant finds, so that there is something to see."""
    place.locator('[data-key=question]').fill('Aurora Friday')
    place.locator('[data-key=question]').press('Enter')
    for key in ('actions', 'decisions', 'missed'):
        place.locator(f'[data-key={key}]').click()
    expect(place.locator('.answered[aria-busy=false]')).to_have_count(4)


def _assistant(desk):
    desk.node.ask('assistant', on=True)
    desk.go('')
    desk.go('assistant')
    _answers(desk.page.locator('main'))


def _assistant_pane(desk):
    desk.node.ask('assistant', on=True)
    _conversation(GROUP)(desk)
    desk.page.locator('.bar [data-key=assistant]').click()
    _answers(desk.page.locator('#details:not([hidden]), dialog'))


def _menu(desk):
    _conversation('Bob')(desk)
    desk.page.locator('.msg.own').last.hover()
    desk.page.locator('.msg.own').last.locator('[data-key=more]').click()
    expect(desk.page.locator('.menu')).to_be_visible()


def _emoji(desk):
    _conversation('Bob')(desk)
    desk.page.locator('.msg').last.hover()
    desk.page.locator('.msg').last.locator('[data-key=react]').click()
    expect(desk.page.locator('.picker')).to_be_visible()


def _keys(desk):
    _conversation('Bob')(desk)
    desk.page.locator('.log').focus()
    desk.page.keyboard.press('?')
    expect(desk.page.locator('dialog')).to_be_visible()


def _nothing(desk):
    desk.go('')
    expect(desk.page.locator('#list .row').first).to_be_visible()


PLACES = {
    'list': _nothing, 'conversation': _conversation('Bob'), 'group': _conversation(GROUP), 'message menu': _menu,
    'reactions': _emoji, 'way of a message': _act('life'), 'keys': _keys, 'person': _act('person'), 'verify': _verify,
    'group details': _act('group'), 'new conversation': _act('new'), 'new group': _new_group, 'people': _page('people'),
    'network': _page('network'), 'outbox': _page('outbox'), 'doctor': _page('doctor'), 'search': _search, 'me': _page('me'),
    'assistant off': _assistant_off, 'assistant': _assistant, 'assistant of a group': _assistant_pane,
}


@contextmanager
def shown(desk, name):
    """Shows a place, and closes what lies over the page afterwards."""
    PLACES[name](desk)
    yield
    for _ in range(3):
        if desk.page.locator('dialog, .menu, #details:not([hidden])').count():
            desk.page.keyboard.press('Escape')
    expect(desk.page.locator('dialog, .menu')).to_have_count(0)
