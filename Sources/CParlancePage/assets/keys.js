// Keys that work everywhere on the page, and the sheet that lists all keys.

import { h, stepOf } from './dom.js';
import { state } from './state.js';
import { openSheet } from './view.js';
import { actions } from './views.js';
import { say } from './words.js';

/** Starts to listen. */
export const startKeys = () => addEventListener('keydown', (event) => {
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
  const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') actions.search();
  else if (event.altKey && stepOf(event)) step(stepOf(event));
  else if (event.key === '?' && !isTyping) showKeys();
  else return;
  event.preventDefault();
});

/** Opens the conversation above or below in the list.
 * @param {number} by */
const step = (by) => {
  const rows = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#list .row'))];
  const at = rows.findIndex((row) => row.hasAttribute('aria-current'));
  (rows[at + by] ?? (state.open ? null : rows[0]))?.click();
};

/** Shows all keys. */
const showKeys = () => {
  const rows = [
    [say('Ctrl K'), say('Search messages and people')],
    ['Alt ↑, Alt ↓', say('the conversation above, below')],
    [say('Enter, Shift Enter'), say('send, begin a new line')],
    ['↑', say('in the empty field: edit your last message')],
    ['@, :', say('names and emoji: Tab completes')],
    [say('Shift Tab, ↑, ↓'), say('go from message to message')],
    ['R, +, E, D', say('on a message: answer, react, edit, delete')],
    [say('Enter, M'), say('on a message: its way, a menu')],
    ['Esc', say('close, or stop an answer or edit')],
    ['?', say('these keys')],
  ];
  openSheet({ title: say('Keys'), body: h('dl.facts', null, rows.map(([key, words]) => [h('dt', null, h('kbd', null, key)), h('dd', null, words)])) });
};
