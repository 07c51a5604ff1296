"""Pictures of people: chosen, looked at, shown to others, removed."""

import base64

from playwright.sync_api import expect

from files import png, write

DROP = """(place, text) => {
    const files = new DataTransfer();
    files.items.add(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], 'dropped.png'));
    for (const type of ['dragover', 'drop'])
        place.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
}"""

# Whether every face has the colour that the browser forces on all text.
FORCED = """[...document.querySelectorAll('.face')].every((one) => getComputedStyle(one).color === getComputedStyle(document.body).color)"""


def run(office, browser, runner):
    ada, bob = browser.desk(office.ada), browser.desk(office.bob)
    bob.open('Ada')
    ada.go('me')
    chooser = ada.page.locator('main input[type=file]')
    dialog = ada.page.locator('dialog')
    row = bob.page.locator('#list ul.rows .row', has=bob.page.locator('.name', has_text='Ada'))

    with runner.step('what is no picture is refused'):
        chooser.set_input_files(write(office, 'face.svg', b'<svg xmlns="http://www.w3.org/2000/svg"></svg>'))
        expect(ada.page.locator('#toast')).to_contain_text('cannot show this file as a picture')
        expect(dialog).to_have_count(0)

    with runner.step('a picture that was chosen is looked at first, and can be let be'):
        face = write(office, 'face.png', png(1600, 900))
        chooser.set_input_files(face)
        expect(dialog.locator('canvas')).to_be_visible()
        ada.axe('the preview')
        dialog.get_by_text('Cancel').click()
        expect(dialog).to_have_count(0)
        assert 'picture' not in office.ada.ask('status')

    with runner.step('then it is in place of the initials, at hers and at his'):
        chooser.set_input_files(face)
        dialog.get_by_text('Use this picture').click()
        expect(dialog).to_have_count(0)
        expect(ada.page.locator('main .face canvas')).to_be_visible()
        expect(ada.page.locator('#list .me .face canvas')).to_be_visible()
        expect(row.locator('.face canvas')).to_be_visible()
        expect(bob.page.locator('.conversation .bar .face canvas')).to_be_visible()

    with runner.step('what others are sent is small, square and a JPEG file'):
        found = office.bob.ask('picture', who=office.ada.id, content=True)
        content = base64.b64decode(found['content'])
        assert content[:3] == b'\xff\xd8\xff' and len(content) <= 65_536, len(content)
        assert [one['picture'] for one in office.bob.ask('peers')['peers'] if one['id'] == office.ada.id] == [found['picture']]
        size = bob.page.evaluate("""async (text) => { const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
            const one = await createImageBitmap(new Blob([bytes])); return [one.width, one.height]; }""", found['content'])
        assert size == [256, 256], size

    with runner.step('it is in her details, with words, and in the list of people'):
        bob.page.locator('.conversation .bar .title').click()
        large = bob.page.get_by_role('img', name='Picture of Ada')
        expect(large).to_be_visible()
        bob.axe('the person with a picture')
        bob.go('people')
        expect(bob.page.locator('main .row', has_text='Ada').locator('.face canvas')).to_be_visible()
        bob.axe('people with a picture')

    with runner.step('also after a reload, in a narrow dark window, and with forced colours'):
        narrow = browser.desk(office.bob, viewport={'width': 360, 'height': 740})
        narrow.page.emulate_media(color_scheme='dark')
        expect(narrow.page.locator('#list ul.rows .row .face canvas').first).to_be_visible()
        narrow.axe('the dark list with a picture')
        # axe-core takes the colours of before for those of a row, so they are compared here.
        narrow.page.emulate_media(forced_colors='active')
        narrow.until('all have the colour of text', lambda: narrow.page.evaluate(FORCED))
        expect(narrow.page.locator('#list ul.rows .row .face canvas').first).to_be_visible()
        wide = narrow.page.evaluate('document.documentElement.scrollWidth')
        assert wide <= 360, f'it is {wide} px wide'
        narrow.close()

    with runner.step('one that is dropped takes its place'):
        before = office.ada.ask('status')['picture']
        ada.page.locator('.drop-place').evaluate(DROP, base64.b64encode(png(300, 300)).decode())
        dialog.get_by_text('Use this picture').click()
        ada.until('it is another one', lambda: office.ada.ask('status').get('picture') not in (None, before))
        now = office.ada.ask('status')['picture']['id']
        expect(row.locator(f'.face[data-picture="{now}"] canvas')).to_be_visible()

    with runner.step('once it is removed there are initials again'):
        ada.page.get_by_text('Remove the picture').click()
        expect(ada.page.locator('main .face canvas')).to_have_count(0)
        expect(row.locator('.face')).to_have_text('A')
        assert office.bob.ask('picture', who=office.ada.id) == {}
