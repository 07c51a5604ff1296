// Small parts that the views share: cards, fields, tables, rows of people, and redrawing without losing the focus.

import { call } from './api.js';
import { fill, h, icon } from './dom.js';
import { face } from './face.js';
import { plainName, shownName } from './names.js';
import { onEvent, state, subscribe } from './state.js';
import { presenceWord } from './texts.js';
import { closeDetails, complain, openDetails, openSheet, toast } from './view.js';
import { ago, say } from './words.js';
import { label } from './labels.js';

/**
 * Asks the daemon. If it refuses, shows why and returns undefined.
 * @template {keyof API.Methods} M
 * @param {M} method
 * @param {API.Methods[M]['params']} [params]
 * @returns {Promise<API.Methods[M]['result']|undefined>}
 */
export const ask = (method, params) => call(method, params).catch((error) => { complain(error); return undefined; });

/** A part of a page under a heading.
 * @param {string} title @param {...API.Child} children */
export const card = (title, ...children) => h('section.card', null, h('h2', null, title), children);

/** A part of a pane or sheet under a heading.
 * @param {string} title @param {...API.Child} children */
export const section = (title, ...children) => h('section.section', null, h('h3', null, title), children);

/**
 * @param {string} label
 * @param {() => void} onclick
 * @param {API.Props<HTMLButtonElement> & {kind?: string, symbol?: import('./dom.js').Icon}} more and properties
 */
export const button = (label, onclick, { kind, symbol, ...props } = {}) =>
  h('button.button', { type: 'button', class: kind ?? '', onclick, ...props }, symbol ? icon(symbol) : null, label);

/** A button that looks like a link.
 * @param {string} label @param {() => void} onclick @param {API.Props<HTMLButtonElement>} [props] */
export const textButton = (label, onclick, props) => h('button.text-button', { type: 'button', onclick, ...props }, label);

/** A button that copies a text.
 * @param {string} text @param {string} [label] @param {API.Props<HTMLButtonElement>} [props] */
export const copyButton = (text, label = say('Copy'), props) => button(label, async () => {
  await navigator.clipboard.writeText(text).then(() => toast(say('It is copied.')), () => toast(say('The browser did not allow it. Select the text and copy it.')));
}, { symbol: 'copy', ...props });

/** A field with its label, and a sentence of help.
 * @param {string} label @param {Element} input @param {string} [help] */
export const field = (label, input, help) => {
  const id = `field-${(fields += 1)}`;
  input.id = id;
  if (help) input.setAttribute('aria-describedby', `${id}-help`);
  return h('div.field', null, h('label', { for: id }, label), input, help && h('small.help', { id: `${id}-help`, dir: 'auto' }, help));
};
let fields = 0;

/**
 * A choice among values.
 * @param {[value: string|number, label: string][]} options
 * @param {string|number} value
 * @param {(value: string) => void} onchange
 * @param {API.Props<HTMLSelectElement>} [props]
 */
export const choice = (options, value, onchange, props) => h('select.input',
  { onchange: (event) => onchange(event.currentTarget.value), ...props },
  options.map(([one, label]) => h('option', { value: String(one), selected: String(one) === String(value) }, label)));

/** A switch with its label.
 * @param {string} label @param {boolean} isOn @param {(isOn: boolean) => void} onchange
 * @param {API.Props<HTMLInputElement>} [props] */
export const switchRow = (label, isOn, onchange, props) => h('label.switch', null, h('span', null, label),
  h('input', { type: 'checkbox', role: 'switch', checked: isOn,
    onchange: (event) => onchange(event.currentTarget.checked), ...props }));

/** A form with fields and one main button.
 * @param {API.Child} fields @param {string} label @param {() => Promise<unknown>} submit @param {...API.Child} more */
export const form = (fields, label, submit, ...more) => {
  let isBusy = false;
  return h('form.form', { onsubmit: async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    await submit().finally(() => { isBusy = false; });
  } }, fields, h('div.buttons', null, h('button.button.primary', { type: 'submit' }, label), more));
};

/** A sheet; the focus returns to the same place even if the page under it was redrawn.
 * @param {Parameters<typeof openSheet>[0]} options */
export const sheetOver = (options) => {
  const key = document.activeElement?.dataset?.key;
  const onClose = () => {
    options.onClose?.();
    if (key && document.activeElement === document.body) document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
  };
  return openSheet({ ...options, onClose });
};

/** The pane of details. A sheet reports its end a moment late, so the replaced pane is closed first.
 * @param {string} title @param {API.Child} body @param {() => void} [onClose] */
export const openPane = async (title, body, onClose) => {
  const isOpen = document.querySelector('dialog') !== null;
  closeDetails();
  if (isOpen) await new Promise((done) => setTimeout(done, 50));
  return openDetails(title, body, { onClose });
};

/** A table.
 * @param {string} caption for screen readers @param {string[]} heads
 * @param {API.Child[][]} rows cells; the first is the head of its row */
export const table = (caption, heads, rows) => h('table.table', null, h('caption.only-read', null, caption),
  h('thead', null, h('tr', null, heads.map((one) => h('th', { scope: 'col' }, one)))),
  h('tbody', null, rows.map((cells) => h('tr', null, cells.map((cell, i) =>
    (i ? h('td', { 'data-head': heads[i] }, cell) : h('th', { scope: 'row' }, cell)))))));

/** A finding in words, loud if something has to be done.
 * @param {API.NodeStatusProblem} problem @param {...API.Child} more */
export const finding = (problem, ...more) => h('div', { class: problem.severity === 'problem' ? 'notice' : 'notice calm' },
  icon(problem.severity === 'problem' ? 'warn' : 'info'),
  h('div.form', null, h('div', { dir: 'auto' }, h('strong', null, problem.message), ' ', problem.advice), more));

/** One line about somebody.
 * @param {API.Somebody} peer */
export const aboutPerson = (peer) => {
  if (peer.trust === 'blocked') return say('blocked');
  if (peer.asks) return say('asks to talk');
  if (peer.trust === 'unknown') return peer.nearby || peer.connected ? say('nearby, not accepted') : say('not accepted');
  const word = presenceWord(peer.presence ?? 'offline');
  if (peer.statusText) return `${word}: ${plainName(peer.statusText)}`;
  const isAway = !peer.presence || peer.presence === 'offline';
  return isAway && peer.lastSeen ? say('was here {1}', ago(peer.lastSeen)) : word;
};

/** The face and two lines of a person, for a row.
 * @param {API.Somebody} peer @param {string} [second] */
export const personCells = (peer, second = aboutPerson(peer)) => [
  face(peer.displayName, peer.id, { presence: peer.me ? undefined : peer.presence }),
  h('span.cut', null, h('span.name.cut', { dir: 'auto' }, peer.me ? label.you() : shownName(peer.displayName, peer.trust)),
    h('span.second.cut', { dir: 'auto' }, second)),
];

/** A list of people to choose from.
 * @param {API.PeerInfo[]} people @param {Set<string>} chosen is changed @param {string} legend */
export const pickPeople = (people, chosen, legend) => h('fieldset.pick', null, h('legend', null, legend), people.map((one) =>
  h('label.row', null, personCells(one), h('input', { type: 'checkbox', checked: chosen.has(one.id),
    onchange: (event) => (event.currentTarget.checked ? chosen.add(one.id) : chosen.delete(one.id)) }))));

/** The people whom the user has accepted, by name. */
export const accepted = () => [...state.peers.values()]
  .filter((one) => one.trust === 'accepted' || one.trust === 'verified')
  .sort((a, b) => Number(b.connected) - Number(a.connected) || a.displayName.localeCompare(b.displayName));

const FOCUSABLE = 'button, a[href], input, select, textarea, summary, [tabindex]';

/** Replaces the children of a node; the focus stays at the same `data-key`, or at the same place.
 * @param {Element} node @param {...API.Child} children */
export const refill = (node, ...children) => {
  const active = node.contains(document.activeElement) ? document.activeElement : null;
  const at = active ? [...node.querySelectorAll(FOCUSABLE)].indexOf(active) : -1;
  const open = new Set([...node.querySelectorAll('details')].map((one) => one.open && one.dataset.key));
  fill(node, children);
  for (const one of node.querySelectorAll('details')) if (one.dataset.key && open.has(one.dataset.key)) one.open = true;
  if (!active) return;
  const all = [...node.querySelectorAll(FOCUSABLE)];
  (all.find((one) => one.dataset.key && one.dataset.key === active.dataset.key) ?? all[Math.min(at, all.length - 1)])?.focus({ preventScroll: true });
};

/**
 * Draws into a node, but only if the data have changed.
 * @template T
 * @param {Element} node
 * @param {(data: T) => API.Child} draw gives the children
 */
export const painter = (node, draw) => {
  /** @type {string|undefined} */
  let last;
  return (/** @type {T} */ data) => {
    const text = JSON.stringify(data) ?? '';
    if (text !== last) refill(node, draw(data));
    last = text;
  };
};

/** Draws now and whenever a topic of the store changes.
 * @param {import('./state.js').Topic[]} topics @param {() => void} draw @returns {() => void} ends it */
export const watch = (topics, draw) => {
  draw();
  const ends = topics.map((topic) => subscribe(topic, draw));
  return () => ends.forEach((end) => end());
};

/**
 * Reads now, and again soon after an event that matters.
 * @param {(keyof API.Events)[]|API.Listener<boolean>} matters which events do
 * @param {() => void} read
 * @returns {() => void} ends it
 */
export const readOn = (matters, read, delay = 400) => {
  /** @type {number|undefined} */
  let timer;
  let isOver = false;
  const run = () => { timer = undefined; if (!isOver) read(); };
  run();
  const end = onEvent((...event) => {
    const [type] = event;
    if (type === 'again' || type === 'resumed' || (Array.isArray(matters) ? matters.includes(type) : matters(...event))) timer ??= setTimeout(run, delay);
  });
  return () => { isOver = true; clearTimeout(timer); end(); };
};
