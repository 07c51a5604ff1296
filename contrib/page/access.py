"""axe-core looks at everything that the page can show, light and dark, wide and narrow."""

from places import PLACES, furnish, shown

# What the colours decide; the rest is the same in light and dark.
COLOURS = ['color-contrast', 'link-in-text-block']


def run(office, browser, runner):
    furnish(office)
    with runner.step('axe-core finds what is planted'):
        desk = browser.desk(office.ada)
        for kind, rules in (('light', None), ('dark', COLOURS)):
            desk.page.emulate_media(color_scheme=kind)
            desk.page.evaluate('''() => { const one = document.createElement('p'); one.textContent = 'Hard to read';
                one.style.setProperty('color', '#808080'); one.style.setProperty('background', '#707070');
                document.getElementById('main').append(one); }''')
            try:
                desk.axe('a planted fault', rules=rules)
            except AssertionError as error:
                assert 'color-contrast' in str(error), error
            else:
                raise AssertionError(f'axe-core did not find it ({kind})')
        desk.close()
    for width, height in ((1280, 800), (360, 740)):
        desk = browser.desk(office.ada, viewport={'width': width, 'height': height})
        desk.until('the latest has come', lambda: 'plan.txt' in desk.page.locator('#list').inner_text())
        with runner.step(f'{len(PLACES)} views at {width} px, light and dark: no violation, and nothing is wider'):
            for name in PLACES:
                with shown(desk, name):
                    desk.axe(f'{name}, {width} px, light')
                    desk.page.emulate_media(color_scheme='dark')
                    desk.axe(f'{name}, {width} px, dark', rules=COLOURS)
                    desk.page.emulate_media(color_scheme='light')
                    wide = desk.page.evaluate('document.documentElement.scrollWidth')
                    assert wide <= width, f'{name} is {wide} px wide'
        desk.close()

    with runner.step('text at 200 % in a narrow window: nothing is cut off at the side'):
        desk = browser.desk(office.ada, viewport={'width': 640, 'height': 800})
        for name in ('list', 'conversation', 'me', 'network', 'person'):
            with shown(desk, name):
                desk.page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
                wide = desk.page.evaluate('document.documentElement.scrollWidth')
                assert wide <= 640, f'{name} is {wide} px wide'
                desk.page.evaluate("document.documentElement.style.removeProperty('font-size')")
