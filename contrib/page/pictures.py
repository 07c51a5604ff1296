"""The three pictures of README.md: a group in light colours, how far a message is in dark ones, German on a narrow screen."""

import base64
import os

from playwright.sync_api import expect

from scene import CURVE, WATCH, Scene

# Bytes that a picture may have: who reads README.md waits for it.
LARGEST = 150_000


def run(office, browser, runner, folder):
    os.makedirs(folder, exist_ok=True)
    with runner.step('five people write to each other'):
        page = browser.chromium.new_page()
        curve = base64.b64decode(page.evaluate(CURVE))
        page.close()
        Scene(office, curve)

    with runner.step('the group, light'):
        desk = browser.desk(office.ada, permissions=['notifications'], viewport={'width': 1280, 'height': 860})
        desk.open(WATCH)
        settle(desk, 'And this is the new plan')
        take(desk, folder, 'page-light.png')
        desk.close()

    with runner.step('how far a message is, dark'):
        desk = browser.desk(office.ada, permissions=['notifications'], color_scheme='dark',
                            viewport={'width': 1180, 'height': 740})
        desk.open(WATCH)
        settle(desk, 'And this is the new plan')
        desk.row('And this is the new plan').locator('.status').click()
        expect(desk.page.locator('#details svg.way')).to_be_visible()
        take(desk, folder, 'page-dark.png')
        desk.close()

    with runner.step('a conversation in German, on a narrow screen'):
        desk = browser.desk(office.ada, locale='de-DE', viewport={'width': 390, 'height': 712})
        desk.open('Bob')
        settle(desk, 'Danke, dann bis morgen')
        take(desk, folder, 'page-narrow.png')
        desk.close()


def settle(desk, last):
    """Waits until the end of the conversation stands still, with nothing focused."""
    expect(desk.row(last)).to_be_in_viewport()
    desk.page.mouse.move(0, 0)
    desk.page.evaluate('document.activeElement?.blur()')


def take(desk, folder, name):
    desk.page.evaluate('document.fonts.ready.then(() => undefined)')
    path = os.path.join(folder, name)
    desk.page.screenshot(path=path, animations='disabled')
    size = os.path.getsize(path)
    assert size < LARGEST, f'{name} has {size} bytes'
