"""Runs the jobs of contrib/browse: one line a step, and the reason, pictures and logs at a failure."""

import argparse
import faulthandler
import importlib
import os
import sys
import threading
import time
import traceback
from contextlib import contextmanager

JOBS = ['launch', 'chat', 'groups', 'files', 'portraits', 'reading', 'outage', 'views', 'assistant', 'german',
        'keyboard', 'access', 'hostile', 'texts', 'firefox', 'long']
# These run only if they are named.
ASKED = ['figures']
# These make pictures, in a folder.
DRAWING = ['pictures', 'screens']

# Seconds that a step may take: on a machine of its own, the longest takes a tenth of it.
LIMIT = 180


class Runner:
    """Prints what is done, and how long it took."""

    def __init__(self):
        self.job = ''
        self.doing = ''
        self.moved = time.monotonic()
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        """Ends everything if a step hangs, which a page that hangs can bring about."""
        while time.monotonic() - self.moved < LIMIT:
            time.sleep(1)
        print(f'\n  FAILED  {self.job}: {self.doing}\n          did not end within {LIMIT} s', flush=True)
        faulthandler.dump_traceback(sys.stdout)
        os._exit(1)

    @contextmanager
    def step(self, words):
        self.doing = words
        self.moved = time.monotonic()
        began = time.monotonic()
        yield
        print(f'  ok      {self.job + ": " + words:<78} {time.monotonic() - began:6.2f} s', flush=True)
        self.doing = ''
        self.moved = time.monotonic()

    def alive(self):
        """A long step says that it goes on."""
        self.moved = time.monotonic()

    def figure(self, words, value, aim=''):
        print(f'  figure  {self.job + ": " + words:<68} {value:>18}   {aim and "aim: " + aim}'.rstrip(), flush=True)


def explain(runner, error, office, browser):
    """Everything that helps to find out why a step failed."""
    print(f'\n  FAILED  {runner.job}: {runner.doing or "between two steps"}', flush=True)
    lines = str(error).strip().splitlines() or [type(error).__name__]
    print('\n'.join(f'          {line}' for line in lines[:25]))
    here = [one for one in traceback.extract_tb(error.__traceback__) if os.path.dirname(__file__) in one.filename]
    for one in here[-4:]:
        print(f'          at {os.path.basename(one.filename)}:{one.lineno}: {one.line}')
    for path in browser.pictures(runner.job) if browser else []:
        print(f'          picture: {path}')
    for node in office.nodes:
        print(f'\n          the last lines of the log of {node.name}:')
        print('\n'.join(f'            {line}' for line in node.last_lines()))


def main():
    parser = argparse.ArgumentParser(prog='contrib/browse')
    parser.add_argument('--only', action='append', choices=JOBS + ASKED + DRAWING)
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--folder', default='')
    options = parser.parse_args()
    if options.list:
        print('\n'.join(JOBS + [f'{one} (only if named)' for one in ASKED]))
        return 0

    from browser import Browser
    from office import Office
    runner, browser = Runner(), None
    office = Office(os.environ['BIN'], os.environ['WORK'])
    began = time.monotonic()
    try:
        runner.job = 'office'
        with runner.step('three daemons know each other'):
            office.open()
        with runner.step('the browser runs'):
            browser = Browser(os.environ['PICTURES'])
        for runner.job in options.only or JOBS:
            office.read()
            extra = [options.folder] if runner.job in DRAWING else []
            importlib.import_module(runner.job).run(office, browser, runner, *extra)
            browser.check()
            browser.close_desks()
        print(f'\n  All of it took {time.monotonic() - began:.0f} s.')
        return 0
    except Exception as error:  # The reason is told, whatever it is.
        explain(runner, error, office, browser)
        return 1
    finally:
        if browser:
            browser.close()
        office.close()


sys.exit(main())
