// The room that files take on this computer, by conversation, as bars with figures.

import { h, svg } from './dom.js';
import { plainName } from './names.js';
import { ask, card, painter, readOn, table, textButton } from './parts.js';
import { showConversation } from './view.js';
import { say, size } from './words.js';
import { label } from './labels.js';

const MOST = 1000;

const held = ({ state, size: all, bytes }) => (state === 'here' ? all : bytes ?? 0);

/** Bytes by conversation, and in all with each file once. @param {object[]} entries FileEntry */
const sums = (entries) => {
  const all = new Map();
  const files = new Map();
  for (const { file, conversation, title } of entries) {
    const bytes = held(file);
    files.set(file.file, bytes);
    const known = all.get(conversation) ?? { conversation, title, files: new Map() };
    known.files.set(file.file, bytes);
    all.set(conversation, known);
  }
  const total = (map) => [...map.values()].reduce((sum, one) => sum + one, 0);
  const rows = [...all.values()].map(({ files: own, ...one }) => ({ ...one, count: own.size, bytes: total(own) }));
  return { total: total(files), rows: rows.filter((one) => one.bytes > 0).sort((a, b) => b.bytes - a.bytes).slice(0, 20), isCut: entries.length >= MOST };
};

const bar = (part) => svg('svg', { class: 'bar-of', viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
  svg('rect', { class: 'ground', width: 100, height: 6, rx: 3 }), svg('rect', { class: 'part', width: Math.max(2, part * 100), height: 6, rx: 3 }));

/** The card about files. @param {(end: () => void) => void} leave gets what ends it */
export const filesCard = (leave) => {
  const place = h('div.form');
  const paint = painter(place, ({ total, rows, isCut }) => [
    h('p', null, rows.length ? say('Files take {1} on this computer.', size(total)) : say('No files are here.')),
    rows.length > 0 && table(say('Room that files take, by conversation'), [label.conversation(), label.files(), say('Room')], rows.map((one) => [
      textButton(plainName(one.title), () => showConversation(one.conversation), { dir: 'auto', 'data-key': one.conversation }),
      String(one.count), h('div.lines', null, size(one.bytes), bar(one.bytes / rows[0].bytes)),
    ])),
    h('p.help', null, isCut ? say('Counted are the newest {1} files. What texts take by conversation is not measured.', MOST) : say('What texts take by conversation is not measured.')),
  ]);
  leave(readOn((type, data) => type === 'file' && data.state !== 'fetching', async () => {
    const answer = await ask('files', { limit: MOST });
    if (answer) paint(sums(answer.files));
  }));
  return card(label.files(), place);
};
