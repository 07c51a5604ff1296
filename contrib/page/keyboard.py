"""A whole errand without a mouse: somebody is found, written to, answered, and the way of the message is looked at."""

from playwright.sync_api import expect

FOCUS = "document.activeElement === document.body ? '' : document.activeElement.getAttribute('aria-label') || document.activeElement.innerText.trim().slice(0, 60)"


def run(office, browser, runner):
    desk = browser.desk(office.ada)
    page = desk.page
    press = page.keyboard.press

    def tab_to(words, key='Tab', most=60):
        seen = []
        for _ in range(most):
            seen.append(page.evaluate(FOCUS))
            if words in seen[-1]:
                return
            press(key)
        raise AssertionError(f'{key} does not lead to "{words}": {seen}')

    with runner.step('Tab leads to the conversations, arrows walk through them, Enter opens one'):
        tab_to('Cleo')
        press('ArrowDown')
        tab_to('Bob', 'ArrowUp')
        press('Enter')
        expect(desk.field).to_be_focused()
        page.keyboard.type('Only keys')
        press('Enter')
        desk.sees('Only keys')

    with runner.step('every focused thing can be seen to be focused'):
        for _ in range(25):
            press('Tab')
            outline = page.evaluate("""() => { const one = document.activeElement; const style = getComputedStyle(one);
                return [one === document.body || style.outlineStyle !== 'none' || style.boxShadow !== 'none',
                    one.outerHTML.slice(0, 120)]; }""")
            assert outline[0], f'no focus is seen on {outline[1]}'

    with runner.step('messages by arrows: answer, react, edit, menu, details, each with a way back'):
        page.locator('.log').focus()
        press('ArrowUp')
        assert 'Only keys' in page.evaluate('document.activeElement.innerText')
        press('e')
        expect(desk.field).to_have_value('Only keys')
        press('Escape')
        expect(desk.field).to_have_value('')
        page.locator('.log').focus()
        press('ArrowUp')
        press('r')
        expect(page.locator('.aim')).to_contain_text('Answer to yourself')
        press('Escape')
        page.locator('.log').focus()
        press('ArrowUp')
        press('+')
        expect(page.locator('.picker')).to_be_visible()
        press('Escape')
        page.locator('.log').focus()
        press('ArrowUp')
        press('m')
        expect(page.get_by_role('menuitem').first).to_be_focused()
        press('ArrowDown')
        expect(page.get_by_role('menuitem').nth(1)).to_be_focused()
        press('Escape')
        page.locator('.log').focus()
        press('ArrowUp')
        press('Enter')
        expect(page.locator('#details h2')).to_be_focused()
        press('Escape')
        expect(page.locator('#details')).to_be_hidden()
        assert 'Only keys' in page.evaluate('document.activeElement.innerText')

    with runner.step('a dialog holds the focus and gives it back; Alt and arrows change the conversation'):
        page.locator('.log').focus()
        press('?')
        for _ in range(6):
            press('Tab')
            assert page.evaluate("document.activeElement === document.body || Boolean(document.activeElement.closest('dialog'))")
        press('Escape')
        expect(page.locator('.log')).to_be_focused()
        press('Alt+ArrowDown')
        expect(page.locator('.conversation h1')).not_to_have_text('Bob')
        press('Control+k')
        expect(page.locator('main input[type=search]')).to_be_focused()
