// Search over people, conversations and messages; hits are marked, and a press jumps to them.

import { modelLine, sourceRow } from './answers.js';
import { call, whyNot } from './api.js';
import { fill, h, stepOf } from './dom.js';
import { face } from './face.js';
import { openPerson } from './person.js';
import { personName, plainName, titleOf } from './names.js';
import { choice, personCells } from './parts.js';
import { state } from './state.js';
import { openPage, showConversation } from './view.js';
import { fullTime, number, say, when } from './words.js';
import { label } from './labels.js';

const PAGE = 30;
// Kept, so that the results are there after going back from a message.
/** @type {{query: string, order: API.SearchOperationOrder}} */
const last = { query: '', order: 'relevance' };

/** The excerpt with its hits marked; places are counted in code points.
 * @param {API.SearchHitExcerpt} excerpt */
const marked = ({ text, marks, cutBefore, cutAfter }) => {
  const letters = [...text];
  const parts = [];
  let at = 0;
  for (const { from, to } of marks) {
    parts.push(letters.slice(at, from).join(''), h('mark', null, letters.slice(from, to).join('')));
    at = to;
  }
  return [cutBefore && '…', ...parts, letters.slice(at).join(''), cutAfter && '…'];
};

/** @param {API.SearchHit} hit */
const hitRow = (hit) => h('li', null, h('button.row.hit', { type: 'button', onclick: () => showConversation(hit.conversation, { message: hit.id }) },
  face(hit.title, hit.kind === 'group' ? hit.conversation : hit.sender.id, { group: hit.kind === 'group' }),
  h('span.middle-cell', null,
    h('span.name.cut', { dir: 'auto' }, hit.kind === 'group' ? label.inPlace(personName(hit.sender), plainName(hit.title))
      : hit.sender.me ? say('You to {1}', plainName(hit.title)) : personName(hit.sender)),
    h('span.second', { dir: 'auto' }, marked(hit.excerpt))),
  h('time.end', { datetime: hit.time, title: fullTime(hit.time) }, when(hit.time))));

/** People and conversations whose names contain the query.
 * @param {string} query */
const named = (query) => {
  const text = query.trim().toLowerCase();
  if (!text || /[:"*]/.test(text)) return [];
  const groups = [...state.conversations.values()].filter((one) => one.kind === 'group' && one.title.toLowerCase().includes(text));
  const people = [...state.peers.values()].filter((one) => one.displayName.toLowerCase().includes(text));
  return [
    ...people.slice(0, 5).map((one) => h('li', null, h('button.row', { type: 'button', onclick: () => (one.trust === 'blocked' ? openPerson(one.id) : showConversation(one.id)) }, personCells(one)))),
    ...groups.slice(0, 5).map((one) => h('li', null, h('button.row', { type: 'button', onclick: () => showConversation(one.id) }, face(one.title, one.id, { group: true }), h('span.name.cut', { dir: 'auto' }, titleOf(one))))),
  ];
};

/** @param {string} NAME @returns {[string, string][]} */
const helpLines = (NAME) => [
  ['lunch friday', say('messages with both words')], ['"good morning"', say('this exact phrase')],
  ['lun*', say('words that begin so')], ['*nch*', say('words that contain this')],
  [`from:${NAME}`, say('what that person wrote; from:me for yours')], [`in:${NAME}`, say('in that conversation; with spaces: in:"Night watch"')],
  ['after:2026-11-24', say('on that day or later; also today, yesterday, 2026-11')], ['before:2026-11-24', say('before that day')], ['has:file', say('messages with a file')],
];

/** The messages near in meaning, without those shown already.
 * @param {API.AskReply|undefined} near @param {Set<string>} shown */
const nearList = (near, shown) => {
  const others = near?.sources.filter((one) => !shown.has(one.id)) ?? [];
  return near && others.length > 0 && h('section.section', null, h('h2', null, say('By meaning')),
    h('ul.rows', null, others.map((one) => sourceRow(one, { isTitled: true, jump: () => showConversation(one.conversation, { message: one.id }) }))),
    modelLine(near.model));
};

/** @param {API.SearchReply} answer */
const counted = (answer) => {
  if (!answer.found) return say('No message found.');
  if (answer.atLeast) return say('Of more than {1} messages that fit, the newest are compared.', number(answer.found));
  return answer.found === 1 ? say('1 message found.') : say('{1} messages found.', number(answer.found));
};

/** Sets the words to search for, before the page is shown.
 * @param {string} query */
export const searchFor = (query) => { last.query = query; };

/** The page of search. */
export const openSearch = () => {
  const names = h('ul.rows');
  const hits = h('ul.rows');
  const status = h('p.help', { role: 'status' });
  const more = h('div');
  const near = h('div');
  let round = 0;
  /** @type {number|undefined} */
  let timer;
  /** @type {Set<string>} the messages that are found by their words */
  let shown = new Set();
  /** @type {API.AskReply|undefined} */
  let meant;
  // Hits by words are shown at once, those by meaning once the model has searched.
  const nearTo = async (/** @type {string} */ query) => {
    const both = await call('search', { query, order: last.order, limit: PAGE, near: true }).catch(() => null);
    if (!both || !page.isConnected || query !== last.query.trim()) return;
    meant = both.near;
    fill(near, nearList(meant, shown));
  };
  const run = async (offset = 0) => {
    const own = (round += 1);
    const query = last.query.trim();
    if (!offset) fill(names, named(query));
    if (!query) { fill(hits); fill(more); fill(status); fill(near); return; }
    try {
      const answer = await call('search', { query, order: last.order, limit: PAGE, offset });
      if (own !== round) return;
      const rows = answer.hits.map(hitRow);
      if (offset) hits.append(...rows);
      else {
        fill(hits, rows);
        fill(near);
        [shown, meant] = [new Set(), undefined];
      }
      for (const one of answer.hits) shown.add(one.id);
      fill(status, counted(answer), answer.why && ` ${answer.why}`,
        answer.unsearched ? ` ${say('Not everything was searched: {1} entries are still to be taken into the index, which goes on by itself. Search again in a while.', answer.unsearched)}` : null);
      fill(more, answer.more && h('button.button', { type: 'button', onclick: () => run(offset + answer.hits.length) }, say('Show more')));
      if (offset) rows[0]?.querySelector('button')?.focus();
      fill(near, nearList(meant, shown));
      if (!offset) nearTo(query);
    } catch (error) {
      if (own !== round) return;
      fill(hits);
      fill(more);
      fill(near);
      fill(status, whyNot(error));
    }
  };
  const input = h('input.input', { type: 'search', value: last.query, autocomplete: 'off', dir: 'auto', 'aria-label': say('Search everything'), placeholder: say('Words, from:NAME, in:NAME, after:DAY …'),
    oninput: () => { last.query = input.value; clearTimeout(timer); timer = setTimeout(run, 200); },
    onkeydown: (event) => {
      if (event.key === 'ArrowDown') { event.preventDefault(); page.querySelector('button.row')?.focus(); }
      if (event.key === 'Enter') { clearTimeout(timer); run(); }
    } });
  const order = choice([['relevance', say('What fits best first')], ['newest', say('The newest first')]], last.order,
    (value) => { last.order = /** @type {API.SearchOperationOrder} */ (value); run(); }, { 'aria-label': say('Order') });
  const walk = (/** @type {KeyboardEvent} */ event) => {
    const step = stepOf(event);
    if (!step || !(event.target instanceof Element) || event.target.closest('select, input')) return;
    const all = [...page.querySelectorAll('button.row')];
    const at = all.findIndex((one) => one === document.activeElement) + step;
    event.preventDefault();
    (at < 0 ? input : all[at])?.focus();
  };
  const page = h('div.stack.narrow', { onkeydown: walk }, h('div.search-line', { role: 'search' }, input, order),
    h('details', null, h('summary', null, say('What can be searched for')), h('dl.facts', null, helpLines(say('NAME')).map(([text, words]) => [h('dt', null, h('code', null, text)), h('dd', null, words)]))),
    names, status, hits, more, near);
  openPage(say('Search'), page, { onLeave: () => { round += 1; clearTimeout(timer); } });
  input.focus();
  input.select();
  run();
};
