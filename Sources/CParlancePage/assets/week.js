// When somebody was here in the last week: a drawing with a line for each day and a cell for each hour, and the same as a table.

import { h, svg } from './dom.js';
import { section, table } from './parts.js';
import { clock, day, say } from './words.js';

const HOUR = 3_600_000;
const [LEFT, CELL, LINE] = [44, 10, 16];

/** @typedef {{at: number, hours: number[]}} Day when it begins, and when each hour did in which they were here */

const midnight = (/** @type {number|string} */ time) => new Date(time).setHours(0, 0, 0, 0);

/** The days from one time to another, oldest first, each with its hours.
 * @param {string} from @param {number[]} hours when each began */
const days = (from, hours) => {
  /** @type {Day[]} */
  const all = [];
  for (let at = midnight(from); at <= Date.now(); at = new Date(at).setDate(new Date(at).getDate() + 1)) all.push({ at, hours: [] });
  for (const one of hours) all.find((some) => some.at === midnight(one))?.hours.push(one);
  return all;
};

/** "09:00–12:00, 14:00–15:00"
 * @param {number[]} hours */
const spans = (hours) => {
  /** @type {{begin: number, end: number}[]} */
  const all = [];
  for (const one of hours) {
    const last = all.at(-1);
    if (last?.end === one) last.end += HOUR;
    else all.push({ begin: one, end: one + HOUR });
  }
  return all.map(({ begin, end }) => `${clock(begin)}–${clock(end)}`).join(', ');
};

const drawing = (/** @type {Day[]} */ all) => svg('svg', { class: 'week', viewBox: `0 0 ${LEFT + 24 * CELL} ${(all.length + 1) * LINE}`, role: 'img',
  'aria-label': say('The hours of the last week as a drawing. The table below says the same.') },
  [0, 6, 12, 18].map((hour) => svg('text', { x: LEFT + hour * CELL, y: 11 }, String(hour))),
  all.map(({ at, hours }, i) => [
    svg('text', { x: 0, y: (i + 1) * LINE + 10 }, new Date(at).toLocaleDateString(document.documentElement.lang, { weekday: 'short' })),
    svg('rect', { class: 'ground', x: LEFT, y: (i + 1) * LINE, width: 24 * CELL, height: LINE - 4 }),
    hours.map((one) => svg('rect', { class: 'part', x: LEFT + new Date(one).getHours() * CELL, y: (i + 1) * LINE, width: CELL, height: LINE - 4 })),
  ]));

/** The part of somebody's details.
 * @param {{from: string, hours: string[]}} seen the answer to `seen` */
export const lastWeek = ({ from, hours }) => {
  const all = days(from, hours.map((one) => Date.parse(one)));
  const rows = all.filter((one) => one.hours.length).reverse().map((one) => [day(one.at), spans(one.hours)]);
  return section(say('The last week'), rows.length ? [
    drawing(all),
    h('details', { 'data-key': 'week' }, h('summary', null, say('The same as a table')),
      table(say('When they were here'), [say('Day'), say('Hours')], rows)),
    h('p.help', null, say('Hours in which their computer had a link with yours, however short. In an empty hour this computer may have been off.')),
  ] : h('p.help', null, say('They were not here in the last seven days, as far as this computer saw.')));
};
