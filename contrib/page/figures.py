"""Measures what people feel. Figures are printed beside the aims, and decide nothing: they depend on the machine and build."""

import os
import threading
import time
import urllib.request

from playwright.sync_api import expect

from office import Control, until
from places import GROUP, furnish

OPENINGS = 10
ARRIVALS = 300
IDLE_SECONDS = 60
# Messages of a long conversation. PARLANCE_BROWSE_MESSAGES asks for more: the aim speaks of a million.
MANY = int(os.environ.get('PARLANCE_BROWSE_MESSAGES', '20000'))
FEW = 100
# Messages that are written at once, before what has arrived is looked at.
HEAP = 2000

# When the list can be used, in ms after the navigation began.
READY = """addEventListener('DOMContentLoaded', () => { const look = () => { if (!document.querySelector('#list .row'))
    return requestAnimationFrame(look); window.usable = performance.now(); }; look(); })"""
# When a message is in the document, and when the frame that shows it has been made.
NOTICE = """() => { window.shown = {}; window.framed = {};
    new MutationObserver(() => { for (const one of [...document.querySelectorAll('.messages .msg .text')].slice(-30)) {
        const found = /Arrival (\\d+)/.exec(one.textContent);
        if (!found || window.shown[found[1]]) continue;
        window.shown[found[1]] = performance.timeOrigin + performance.now();
        requestAnimationFrame(() => { const way = new MessageChannel();
            way.port1.onmessage = () => { window.framed[found[1]] = performance.timeOrigin + performance.now(); };
            way.port2.postMessage(null); }); } })
    .observe(document.querySelector('.messages'), { childList: true, subtree: true }); }"""
# From a press on a conversation in the list until a frame shows its last message.
OPENED = """([name, last]) => new Promise((done) => {
    const row = [...document.querySelectorAll('#list .row')].find((one) => one.querySelector('.name').innerText === name);
    const began = performance.now(); row.click();
    const look = () => { const all = document.querySelectorAll('.messages .msg .text');
        if (document.querySelector('.conversation h1')?.innerText !== name || all[all.length - 1]?.innerText !== last)
            return requestAnimationFrame(look);
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - began))); };
    look(); })"""


def run(office, browser, runner):
    ada = office.ada
    before = memory(ada)
    opening(browser, ada, runner)
    furnish(office)
    desk = browser.desk(ada)
    desk.open('Bob')
    with runner.step(f'{ARRIVALS} messages arrive one by one'):
        delays = arrivals(desk, office)
    for words, values, aim in zip(('from the sender\'s send to the screen', 'from the daemon\'s event to the screen',
                                   'from the daemon\'s event to the document'), delays, ('', '< 50 ms', '')):
        runner.figure(f'{words}, p50, p99', f'{part(values, 0.5):.0f}, {part(values, 0.99):.0f} ms', aim)

    with runner.step(f'the page is left open for {IDLE_SECONDS} s'):
        office.settled()
        browser_share, renderer, daemon, heard, asked = idle(desk, browser, ada)
    runner.figure('the tab left open, of a core', f'{renderer:.2f} %', '< 0.5 %')
    runner.figure('all of the browser meanwhile', f'{browser_share:.2f} %')
    runner.figure("the daemon meanwhile, with the page's stream", f'{daemon:.2f} %')
    runner.figure('what it hears of the daemon, and asks', f'{heard / IDLE_SECONDS:.0f} B/s, {asked * 60 / IDLE_SECONDS:.0f}/min')
    runner.figure('memory of the daemon, before a page was opened', f'{before:.1f} MB')
    runner.figure('memory of the daemon, with the page in it', f'{memory(ada):.1f} MB', '< 40 MB')
    files, total = assets(desk)
    runner.figure('the files of the page, as they are sent', f'{files}, {total} bytes', '< 150,000')
    desk.close()
    with runner.step(f'an empty page with a field for text is left open for {IDLE_SECONDS} s'):
        blank = browser.desk(ada, launch=False)
        blank.page.set_content('<textarea autofocus></textarea>')
        _, empty, *_ = idle(blank, browser, ada)
        blank.close()
    runner.figure('what the blinking of its caret costs, of a core', f'{empty:.2f} %')
    long_conversation(office, browser, runner)


def opening(browser, ada, runner):
    for words, isCold in (('nothing is cached', True), ('it was open before', False)):
        with runner.step(f'the page is opened {OPENINGS} times, {words}'):
            times, desk = [], None
            for _ in range(OPENINGS):
                if isCold or not desk:
                    desk = browser.desk(ada, launch=False)
                    desk.page.add_init_script(READY)
                    desk.page.goto(ada.link())
                else:
                    desk.page.reload()
                desk.ready()
                times.append(desk.page.evaluate('window.usable'))
                if isCold:
                    desk.close()
            if not isCold:
                desk.close()
        times.sort()
        runner.figure(f'ready, {words}, median (max)', f'{times[len(times) // 2]:.0f} ms ({times[-1]:.0f})', '< 200 ms')


def arrivals(desk, office):
    """What a client of the control socket hears at the same moment as the page's server is the daemon's event."""
    desk.page.evaluate(NOTICE)
    sent, heard = {}, {}
    control = Control(office.ada.socket_path)
    control.ask('subscribe', events=['message'])

    def listen():
        try:
            while len(heard) < ARRIVALS:
                event = control.read().get('params', {})
                text = event.get('data', {}).get('text', '')
                if text.startswith('Arrival '):
                    heard[text.split()[1]] = time.time() * 1000
        except (OSError, ValueError):
            pass
    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    for i in range(ARRIVALS):
        sent[str(i)] = time.time() * 1000
        office.bob.send('Ada', f'Arrival {i}')
        desk.page.wait_for_timeout(20)
    expect(desk.row(f'Arrival {ARRIVALS - 1}')).to_be_visible()
    desk.until('all were shown', lambda: desk.page.evaluate('Object.keys(window.framed).length') == ARRIVALS)
    listener.join(5)
    control.close()
    shown, framed = desk.page.evaluate('[window.shown, window.framed]')
    return [sorted(ends[key] - begins[key] for key in heard)
            for begins, ends in ((sent, framed), (heard, framed), (heard, shown))]


def part(values, share):
    return values[min(len(values) - 1, int(len(values) * share))]


def idle(desk, browser, ada):
    """Processor time of all of the browser, of its tabs, and of the daemon in %; bytes heard, and requests."""
    network = desk.context.new_cdp_session(desk.page)
    heard, asked = [], []
    network.on('Network.dataReceived', lambda one: heard.append(one['encodedDataLength'] or one['dataLength']))
    network.on('Network.requestWillBeSent', lambda one: asked.append(one['request']['url']))
    network.send('Network.enable')
    whole = browser.chromium.new_browser_cdp_session()

    def spent():
        all = [(one['type'], one['cpuTime']) for one in whole.send('SystemInfo.getProcessInfo')['processInfo']]
        return sum(time for _, time in all), sum(time for kind, time in all if kind == 'renderer'), processor(ada)
    desk.page.wait_for_timeout(2000)
    heard.clear()
    asked.clear()
    before, began = spent(), time.monotonic()
    desk.page.wait_for_timeout(IDLE_SECONDS * 1000)
    after, length = spent(), time.monotonic() - began
    network.detach()
    whole.detach()
    return [(b - a) / length * 100 for a, b in zip(before, after)] + [sum(heard), len(asked)]


def processor(node):
    """Seconds of processor time."""
    with open(f'/proc/{node.process.pid}/stat') as line:
        fields = line.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def memory(node):
    """What the daemon has in memory, in MB."""
    with open(f'/proc/{node.process.pid}/status') as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith('VmRSS:')) / 1024


def assets(desk):
    """The files that the page loads, and their bytes as they are sent, without what HTTP adds."""
    names = desk.page.evaluate("""() => ['/', '/worker.js', ...performance.getEntriesByType('resource').map((one) => new URL(one.name))
        .filter((one) => one.origin === location.origin && /\\.(js|css|svg|webmanifest)$/.test(one.pathname))
        .map((one) => one.pathname)]""")
    origin = desk.page.evaluate('location.origin')
    sizes = []
    for name in set(names):
        asked = urllib.request.Request(origin + name, headers={'Accept-Encoding': 'deflate'})
        with urllib.request.urlopen(asked) as answer:
            sizes.append(len(answer.read()))
    return len(sizes), sum(sizes)


def long_conversation(office, browser, runner):
    with runner.step(f'a conversation gets {MANY} messages, another {FEW}'):
        for who, reader, count in (('Bob', office.bob, MANY), ('Cleo', office.cleo, FEW)):
            for at in range(0, count, HEAP):
                runner.alive()
                # A million messages are more than a reader takes of one person in a day.
                reader.ask('allow', who='Ada')
                office.ada.send(who, *[f'Line {i} of what was said' for i in range(at, min(count, at + HEAP))])
                until('they have arrived', lambda: office.ada.ask('outbox')['total'] == 0, 120)
    desk = browser.desk(office.ada)
    times = {'Bob': [], 'Cleo': []}
    with runner.step('each is opened seven times'):
        for _ in range(7):
            for who, count in (('Bob', MANY), ('Cleo', FEW)):
                desk.open(GROUP)
                times[who].append(desk.page.evaluate(OPENED, [who, f'Line {count - 1} of what was said']))
    many, few = (sorted(times[who])[3] for who in ('Bob', 'Cleo'))
    runner.figure(f'to open one of {MANY} messages, and of {FEW}', f'{many:.0f}, {few:.0f} ms', 'the same')
    runner.figure('memory of the daemon after that', f'{memory(office.ada):.1f} MB')
