// One message: author, quote, text, files, reactions, time and status.

import { fill, h, icon, iconButton } from './dom.js';
import { colour, face } from './face.js';
import { fileView } from './files.js';
import { markdown } from './markdown.js';
import { peopleNames, personName } from './names.js';
import { senderName } from './texts.js';
import { clock, fullTime, number, say } from './words.js';

// The characters and lines of a text that are shown at first.
const LONG = 5000;
const LINES = 100;
/** @type {Set<string>} by ID, those whose text is shown as a whole */
const unfolded = new Set();

/**
 * @typedef {object} Doings the actions of a message
 * @property {(message: API.MessageInfo) => void} reply
 * @property {(message: API.MessageInfo, anchor: Element) => void} react
 * @property {(message: API.MessageInfo, emoji: string, isMine: boolean) => void} toggle
 * @property {(message: API.MessageInfo, anchor: Element) => void} more
 * @property {(message: API.MessageInfo) => void} life
 * @property {(id: string) => void} jump
 */

/**
 * @param {API.MessageInfo} message
 * @param {{first: boolean, last: boolean, group: boolean, meta: boolean, canWrite: boolean}} place in its row of messages of one author
 * @param {Doings} doings
 */
export const messageView = (message, place, doings) => {
  if (message.note) return h('li.note', { dir: 'auto', 'data-id': message.id, tabindex: -1 }, message.note.sentence);
  const { mine, blocked } = message;
  const isFolded = blocked && !unfolded.has(message.id);
  const name = mine ? say('You') : senderName(message);
  return h('li.msg', {
    class: `${mine ? 'own' : place.group ? 'grouped' : ''} ${place.first ? 'first' : ''} ${place.last ? 'last' : ''} id${colour(message.sender)}`,
    'data-id': message.id, tabindex: -1,
  },
  h('span.only-read', null, say('{1} at {2}:', name, clock(message.time))),
  !mine && place.group && place.last && face(message.senderName, message.sender, { size: 'small' }),
  !mine && place.group && place.first && h('span.who', { dir: 'auto', 'aria-hidden': 'true' }, name),
  h('div.line', null,
    h('div.bubble', null, isFolded ? folded(message) : content(message, doings)),
    !message.waits && !isFolded && tools(message, place, doings)),
  !message.deleted && message.reactions?.length ? reactions(message, message.reactions, doings) : null,
  (place.meta || Boolean(message.versions) || message.waits) && meta(message, doings));
};

/** @param {API.MessageInfo} message */
const folded = (message) => [
  h('span.muted', { dir: 'auto' }, message.placeholder), ' ',
  h('button.text-button', {
    type: 'button',
    onclick: (event) => {
      unfolded.add(message.id);
      event.currentTarget.parentElement?.replaceChildren(...text(message));
    },
  }, say('Show')),
];

/** @param {API.MessageInfo} message @param {Doings} doings */
const content = (message, doings) => {
  if (message.deleted) return h('span.muted', { dir: 'auto' }, message.placeholder);
  return [
    message.answers && quote(message.answers, doings),
    message.files?.length ? h('div.files', null, message.files.map((file) => fileView(file, message))) : null,
    text(message),
  ];
};

/** @param {API.MessageInfo} message */
const text = (message) => {
  if (!message.text) return [];
  const mentions = message.mentionPlaces ?? [];
  const place = h('div.text');
  const beginning = unfolded.has(message.id) ? message.text : beginningOf(message.text);
  const isCut = beginning.length < message.text.length;
  fill(place, markdown(beginning, mentions), isCut && h('button.text-button', {
    type: 'button',
    onclick: () => { unfolded.add(message.id); fill(place, markdown(message.text, mentions)); },
  }, say('Show the whole text')));
  return [place];
};

/** The part that fits; never cuts a character in two.
 * @param {string} text */
const beginningOf = (text) => text.split('\n', LINES).join('\n').slice(0, LONG).replace(/[\ud800-\udbff]$/, '');

/** @param {API.QuoteInfo} answers @param {Doings} doings */
const quote = (answers, doings) => {
  const name = personName(answers.sender);
  const words = answers.blocked ? say('(a message of {1})', name) : answers.text || say('(not shown any more)');
  return h('button.quote', {
    type: 'button', class: `id${colour(answers.sender.id)}`, 'data-key': 'quote',
    'aria-label': say('Answer to {1}: {2}', name, words.slice(0, 200)), onclick: () => doings.jump(answers.id),
  }, h('b', { dir: 'auto' }, name), h('span', { dir: 'auto' }, words));
};

/** @param {API.MessageInfo} message @param {{canWrite: boolean}} place @param {Doings} doings */
const tools = (message, place, doings) => h('div.msg-tools', null,
  place.canWrite && !message.deleted && [
    iconButton('smile', say('React'), (event) => doings.react(message, event.currentTarget), { 'data-key': 'react', tabindex: -1, 'aria-haspopup': 'menu' }),
    iconButton('reply', say('Answer'), () => doings.reply(message), { 'data-key': 'reply', tabindex: -1 }),
  ],
  iconButton('more', say('More about this message'), (event) => doings.more(message, event.currentTarget), { 'data-key': 'more', tabindex: -1, 'aria-haspopup': 'menu' }));

/** @param {API.MessageInfo} message @param {API.ReactionInfo[]} all @param {Doings} doings */
const reactions = (message, all, doings) => h('div.reactions', null, all.map(({ emoji, count, people }) => {
  const isMine = people.some((one) => one.me);
  const who = peopleNames(people, count);
  return h('button', {
    type: 'button', 'aria-pressed': String(isMine), 'aria-label': say('{1} by {2}', emoji, who), title: who, 'data-key': `e${emoji}`,
    onclick: () => doings.toggle(message, emoji, isMine),
  }, emoji, count > 1 && h('span', null, number(count)));
}));

/** @param {API.MessageInfo} message @param {Doings} doings */
const meta = (message, doings) => {
  const status = message.mine && !message.deleted && message.statusWords;
  return h('div.meta', null,
    h('time', { datetime: message.time, title: fullTime(message.time) }, clock(message.time)),
    Boolean(message.versions) && !message.deleted && h('button', { type: 'button', 'data-key': 'edited', onclick: () => doings.life(message) }, say('edited')),
    message.waits && h('span', null, say('(waits for an earlier message)')),
    status && h('button.status', {
      type: 'button', class: `at-${message.status}`, 'data-key': 'status',
      'aria-label': say('{1}. Show details', status), onclick: () => doings.life(message),
    }, ticks(message.status), h('span', null, status)));
};

/** @param {API.MessageStatus|undefined} status */
const ticks = (status) => {
  if (status === 'staged' || status === 'sending') return icon('clock');
  if (status === 'failed') return icon('warn');
  if (status === 'sent') return icon('check');
  return icon('checks');
};
