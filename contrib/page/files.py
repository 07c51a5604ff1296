"""Files and pictures: chosen, dropped, cancelled, fetched, saved."""

import hashlib
import os
import struct
import zlib

from playwright.sync_api import expect

DROP = """(conversation, [name, size]) => {
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(size)], name));
    for (const type of ['dragover', 'drop'])
        conversation.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
}"""


def run(office, browser, runner):
    ada, bob = browser.desk(office.ada), browser.desk(office.bob)
    ada.open('Bob')
    bob.open('Ada')
    picture = write(office, 'engine-room.png', png(400, 260))
    plan = write(office, 'plän b.pdf', os.urandom(300_000))
    false = write(office, 'false.png', b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    chooser = ada.page.locator('.composer input[type=file]')

    with runner.step('chosen files show in the tray, with a thumbnail, and go with the text'):
        chooser.set_input_files([picture, plan, false])
        tray = ada.page.locator('.tray li')
        expect(tray).to_have_count(3)
        expect(tray.first.locator('canvas')).to_have_count(1)
        expect(ada.page.locator('.send')).to_be_enabled()
        ada.say('Three files')
        expect(ada.page.locator('.tray')).to_be_hidden()

    with runner.step('the picture is drawn anew on a canvas, a false one is only a file'):
        row = bob.sees('Three files')
        expect(row.locator('.picture canvas')).to_have_count(1)
        expect(row.locator('.file')).to_have_count(2)
        assert bob.page.evaluate('document.querySelectorAll("main img, main iframe, main object, main embed").length') == 0
        size = row.locator('.picture canvas').evaluate('(one) => [one.width, one.height]')
        assert size == [400, 260], size

    with runner.step('it opens large, and Escape leads back'):
        row.locator('.picture').click()
        expect(bob.page.locator('dialog .large-picture canvas')).to_be_visible()
        bob.page.keyboard.press('Escape')
        expect(bob.page.locator('dialog')).to_have_count(0)

    with runner.step('a file that is saved has the bytes and the name that were sent'):
        with bob.page.expect_download() as saved:
            row.locator('.file', has_text='plän b.pdf').get_by_text('Save').click()
        assert saved.value.suggested_filename == 'plän b.pdf', saved.value.suggested_filename
        assert digest(saved.value.path()) == digest(plan)

    with runner.step('dropped and pasted files are added, and one can be taken away'):
        ada.page.locator('.conversation').evaluate(DROP, ['dropped.bin', 2000])
        expect(tray).to_have_count(1)
        expect(ada.page.locator('.drop')).to_be_hidden()
        ada.field.evaluate("""(field) => { const files = new DataTransfer(); files.items.add(new File(['abc'], 'pasted.txt'));
            field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true, cancelable: true })); }""")
        expect(tray).to_have_count(2)
        ada.page.get_by_label('Remove pasted.txt').click()
        expect(tray).to_have_count(1)
        ada.field.press('Enter')
        expect(bob.page.locator('.file', has_text='dropped.bin')).to_be_visible()

    transfer(ada, bob, office, chooser, tray, runner)


def transfer(ada, bob, office, chooser, tray, runner):
    large = write(office, 'large.bin', os.urandom(40_000_000))
    slow = ada.context.new_cdp_session(ada.page)
    with runner.step('a slow upload shows how far it is, keeps Send off, and can be cancelled'):
        slow.send('Network.enable')
        slow.send('Network.emulateNetworkConditions', {
            'offline': False, 'latency': 0, 'downloadThroughput': -1, 'uploadThroughput': 4_000_000})
        chooser.set_input_files(large)
        bar = tray.locator('progress')
        ada.until('some of it is there', lambda: 0 < bar.evaluate('(one) => one.value') < 1)
        ada.field.fill('A large one')
        expect(ada.page.locator('.send')).to_be_disabled()
        ada.page.get_by_label('Cancel large.bin').click()
        expect(tray).to_have_count(0)
        expect(ada.page.locator('.send')).to_be_enabled()
    with runner.step('Enter while a file is being added sends once it is, unless one types on'):
        ada.field.fill('')
        chooser.set_input_files(large)
        ada.field.fill('Not yet')
        ada.page.keyboard.press('Enter')
        hint = ada.page.get_by_text('The message goes as soon as its files are added.')
        expect(hint).to_be_visible()
        ada.page.keyboard.type(', or')
        expect(hint).to_have_count(0)
        ada.field.fill('And the recording')
        ada.page.keyboard.press('Enter')
        expect(hint).to_be_visible()
        slow.send('Network.emulateNetworkConditions', {
            'offline': False, 'latency': 0, 'downloadThroughput': -1, 'uploadThroughput': -1})
        slow.detach()
        expect(ada.field).to_have_value('', timeout=30_000)
        expect(bob.sees('And the recording').locator('.file')).to_have_count(1)
        expect(bob.page.get_by_text('Not yet')).to_have_count(0)

    with runner.step('a file that is too large to come by itself is fetched by a click, with progress'):
        chooser.set_input_files(large)
        expect(ada.page.locator('.send')).to_be_enabled(timeout=20_000)
        ada.say('A large one')
        file = bob.sees('A large one').locator('.file')
        # Each change of the file's row is noted, because the whole takes a moment only.
        file.evaluate("""(one) => { window.shown = [];
            new MutationObserver(() => { const bar = document.querySelector('main .file progress');
                if (bar) window.shown.push(bar.value); }).observe(document.querySelector('.messages'),
                { childList: true, subtree: true, attributes: true }); }""")
        file.get_by_text('Fetch').click()
        expect(file.get_by_text('Save')).to_be_visible(timeout=30_000)
        with bob.page.expect_download() as saved:
            file.get_by_text('Save').click()
        assert digest(saved.value.path()) == digest(large)
        shown = bob.page.evaluate('window.shown')
        assert any(0 < one < 1 for one in shown) and shown == sorted(shown), shown[:20]


def write(office, name, data):
    path = os.path.join(office.work, name)
    with open(path, 'wb') as file:
        file.write(data)
    return path


def digest(path):
    with open(path, 'rb') as file:
        return hashlib.file_digest(file, 'sha256').hexdigest()


def png(width, height):
    """A picture of colours that run into each other."""
    lines = b''.join(b'\0' + bytes(value for x in range(width) for value in (x * 255 // width, y * 255 // height, 140))
                     for y in range(height))
    chunk = lambda kind, data: (struct.pack('>I', len(data)) + kind + data  # noqa: E731
                                + struct.pack('>I', zlib.crc32(kind + data)))
    head = struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + chunk(b'IDAT', zlib.compress(lines)) + chunk(b'IEND', b'')
