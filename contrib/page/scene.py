"""An evening at a pump house, as the pictures of README.md show it: five people, two groups, and what they write."""

import os

from office import until

WATCH = 'Night watch'
CRANES = 'Crane rota'

# A curve of pressure, drawn by the browser, as somebody would send it.
CURVE = """() => { const board = Object.assign(document.createElement('canvas'), { width: 520, height: 190 });
    const pen = board.getContext('2d');
    pen.fillStyle = '#fbfaf7'; pen.fillRect(0, 0, 520, 190);
    pen.font = '13px sans-serif'; pen.fillStyle = '#55606b'; pen.strokeStyle = '#dcdfe2';
    for (let i = 0; i <= 4; i++) { const y = 156 - i * 34; pen.beginPath(); pen.moveTo(46, y); pen.lineTo(500, y); pen.stroke();
        pen.fillText(`${i + 1} bar`, 8, y + 4); }
    ['16:00', '17:00', '18:00', '19:00', '20:00'].forEach((word, i) => pen.fillText(word, 46 + i * 106, 182));
    pen.strokeStyle = '#1f6feb'; pen.lineWidth = 3; pen.lineJoin = 'round'; pen.beginPath();
    for (let x = 0; x <= 454; x += 4) { const rise = 1 / (1 + Math.exp((260 - x) / 26));
        pen.lineTo(46 + x, 136 - rise * 85 + Math.sin(x / 9) * (3 - 2 * rise)); }
    pen.stroke(); return board.toDataURL('image/png').split(',')[1]; }"""


class Scene:
    """What was written, so that pictures can lead to it."""

    def __init__(self, office, curve):
        self.office = office
        self.dan, self.edda = (office.join(name, i) for i, name in enumerate(['Dan', 'Edda'], 4))
        self.talk(curve)

    def talk(self, curve):
        ada, bob, cleo = self.office.ada, self.office.bob, self.office.cleo
        dan, edda = self.dan, self.edda
        ada.ask('verify', who=bob.id, confirm=True)
        ada.ask('group.create', title=CRANES, who=[cleo.id, edda.id])
        ada.ask('group.create', title=WATCH, who=[bob.id, cleo.id, dan.id])
        ada.ask('group.topic', group=WATCH, topic='Pump house, 22:00 to 06:00')
        ada.send('Edda', 'Do you still have the key of the store room?')
        self.everybody()
        edda.send('Ada', 'On the hook behind the door')
        edda.send(CRANES, 'Crane 4 is free from eight')
        dan.send('Ada', 'Bin um zehn da, bringe die Ersatzdichtung mit')
        self.everybody()
        edda.stop()
        ada.send('Edda', 'Found it, thank you')
        self.german()
        self.watch(curve)
        for who in (WATCH, 'Edda', 'Dan'):
            ada.ask('read', who=who)
        cleo.send('Ada', 'Is the gate still open?')
        bob.ask('presence', state='busy', text='an Pumpe 2')
        cleo.ask('presence', state='online', text='harbour office')
        for one in (self.dan, self.edda):
            until(f'{one.name} is offline', lambda: ada.peer(one.name).get('presence') == 'offline', 20)
        until('all has come', lambda: 'Is the gate still open?' in ada.texts('Cleo'))

    def german(self):
        ada, bob = self.office.ada, self.office.bob
        bob.send('Ada', 'Pumpe 2 läuft wieder. Es war nur die **Dichtung**.')
        self.everybody()
        ada.ask('react', id='last:Bob', emoji='👍')
        ada.send('Bob', 'Sehr gut! Wie hoch ist der Druck jetzt?')
        self.everybody()
        bob.ask('reply', id='last:Ada', text='4,1 bar, und er hält.\n- Ventil 3 ist zu\n- Bypass um neun')
        self.everybody()
        self.file(bob, 'Ada', 'Protokoll Pumpe 2.pdf', os.urandom(184_320), 'Das Protokoll:')
        ada.send('Bob', 'Danke, dann bis morgen um sechs')
        self.everybody()
        ada.ask('read', who='Bob')
        bob.ask('read', who='Ada')

    def watch(self, curve):
        ada, bob, cleo, dan = self.office.ada, self.office.bob, self.office.cleo, self.dan
        bob.send(WATCH, 'Pump 2 is back. It was only the **seal**.')
        self.everybody()
        ada.ask('react', id=self.last(ada), emoji='🎉')
        cleo.ask('react', id=self.last(cleo), emoji='🎉')
        dan.ask('react', id=self.last(dan), emoji='👍')
        self.file(bob, WATCH, 'pressure.png', curve, 'The pressure since four', width=520, height=190)
        self.everybody()
        cleo.ask('reply', id=self.last(cleo), text='Looks steady. Then I close the bypass at nine.')
        self.everybody()
        ada.ask('react', id=self.last(ada), emoji='👍')
        ada.send(WATCH, '@Dan please read `gauge 3` at ten, and check that valve 3 stays shut')
        self.everybody()
        dan.send(WATCH, 'Will do')
        self.everybody()
        dan.ask('read', who=WATCH)
        dan.stop()
        until('Dan is gone', lambda: not (ada.peer('Dan') or {}).get('connected'))
        self.file(ada, WATCH, 'valve plan.pdf', os.urandom(412_000), 'And this is the new plan')
        for node in (bob, cleo):
            until('the plan has come', lambda: self.text(node) == 'And this is the new plan')
        bob.ask('read', who=WATCH)
        until('it was read', lambda: ada.ask('info', id=self.last(ada))['message']['status'] != 'staged')

    def last(self, node):
        return node.ask('history', who=WATCH, limit=1)['messages'][-1]['id']

    def text(self, node):
        return node.texts(WATCH, 1)[-1]

    def file(self, node, who, name, data, text, **size):
        slot = node.ask('file.prepare')
        with open(slot['path'], 'wb') as file:
            file.write(data)
        file = node.ask('file.add', name=slot['name'])['file']
        node.ask('send', who=who, text=text, files=[{'file': file, 'name': name, **size}])

    def everybody(self):
        """Waits until nothing waits for those who are here."""
        gone = {one.id for one in self.office.nodes if one.process.poll() is not None}
        for node in self.office.nodes:
            if node.id not in gone:
                until(f'nothing of {node.name} waits', lambda: all(
                    {who['id'] for who in one['recipients']} <= gone for one in node.ask('outbox')['items']), 20)
