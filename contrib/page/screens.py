"""Pictures of the page: light, dark, 360 px, 200 %, German."""

import os

from places import PLACES, furnish, shown

KINDS = {
    'light': {}, 'dark': {'color_scheme': 'dark'}, '360': {'viewport': {'width': 360, 'height': 740}},
    '360-dark': {'viewport': {'width': 360, 'height': 740}, 'color_scheme': 'dark'},
    '200': {'viewport': {'width': 640, 'height': 400}, 'device_scale_factor': 2}, 'german': {'locale': 'de-DE'},
}


def run(office, browser, runner, folder):
    furnish(office)
    for kind, options in KINDS.items():
        with runner.step(f'{len(PLACES)} pictures, {kind}'):
            desk = browser.desk(office.ada, **options)
            desk.until('the latest has come', lambda: 'plan.txt' in desk.page.locator('#list').inner_text())
            for name in PLACES:
                with shown(desk, name):
                    desk.page.screenshot(path=os.path.join(folder, f'{name.replace(" ", "-")}-{kind}.png'))
            desk.close()
    runner.figure('pictures', f'{len(KINDS) * len(PLACES)}')
