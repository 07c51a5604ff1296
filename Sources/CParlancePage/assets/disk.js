// Disk use on this computer: conversations as bars with figures, and everything else.

import { h, svg } from './dom.js';
import { plainName, shownName } from './names.js';
import { ask, card, painter, readOn, table, textButton } from './parts.js';
import { showConversation } from './view.js';
import { say, size } from './words.js';
import { label } from './labels.js';

const MOST = 20;

/** @param {API.DiskEntry} entry */
const taken = ({ messageBytes, fileBytes }) => messageBytes + fileBytes;

const bar = (/** @type {number} */ part) => svg('svg', { class: 'bar-of', viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
  svg('rect', { class: 'ground', width: 100, height: 6, rx: 3 }), svg('rect', { class: 'part', width: Math.max(2, part * 100), height: 6, rx: 3 }));

/** @param {API.DiskEntry} one @param {number} most */
const row = (one, most) => [
  textButton(one.trust ? shownName(one.title, one.trust) : plainName(one.title), () => showConversation(one.conversation), { dir: 'auto', 'data-key': one.conversation }),
  size(one.messageBytes), one.files ? size(one.fileBytes) : '', h('div.lines', null, size(taken(one)), bar(taken(one) / most)),
];

/** The card about disk use.
 * @param {(end: () => void) => void} leave gets what ends it */
export const filesCard = (leave) => {
  const place = h('div.form');
  const paint = painter(place, (/** @type {API.DiskReply} */ disk) => {
    const rows = disk.conversations.slice(0, MOST);
    const most = Math.max(1, ...rows.map(taken));
    return [
      h('p', null, say('Files take {1} on this computer, the database {2}.', size(disk.files + disk.unfinished), size(disk.store))),
      rows.length > 0 && table(say('Room that conversations take'), [label.conversation(), say('Texts'), label.files(), say('Room')], rows.map((one) => row(one, most))),
      h('p.help', null, say('The index for searching takes {1}, messages kept for others {2}, pictures of people {3}. {4} are free in the database for new messages.', size(disk.search), size(disk.envelopes), size(disk.pictures), size(disk.storeFree))),
      disk.reserve !== undefined && h('p.help', null, say('Kept so that room can be made when the disk is full: {1}', size(disk.reserve))),
      disk.free !== undefined && h('p.help', null, say('Free on the disk: {1}', size(disk.free))),
    ];
  });
  leave(readOn((type, data) => type === 'removed' || (type === 'file' && data.state !== 'fetching'), async () => {
    const answer = await ask('disk');
    if (answer) paint(answer);
    // The store reads everything for this.
  }, 5000));
  return card(say('Room'), place);
};
