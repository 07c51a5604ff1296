// The list at the left: you, search, requests to talk, conversations by their latest activity, what waits.

import { askForNotifications, notificationState } from './attention.js';
import { draftOf } from './drafts.js';
import { byID, fill, h, icon, iconButton, stepOf } from './dom.js';
import { face } from './face.js';
import { plainName, shownName, titleOf } from './names.js';
import { state, subscribe } from './state.js';
import { messageLine, presenceWord, typingText } from './texts.js';
import { showConversation } from './view.js';
import { actions } from './views.js';
import { fullTime, say, when } from './words.js';

const parts = {
  me: h('button.me', { type: 'button', onclick: () => actions.me() }),
  requests: h('ul.rows'),
  conversations: h('ul.rows', { onkeydown: (event) => walk(event) }),
  foot: h('div.foot'),
  empty: h('div'),
};
/** @type {Map<string, {view: string, element: Element, button: Element}>} those of conversations, and what they show */
const rows = new Map();

/** Builds the list and keeps it up to date. */
export const startList = () => {
  const nav = byID('list');
  nav.setAttribute('aria-label', say('Conversations'));
  fill(nav,
    h('div.top', null, parts.me,
      iconButton('assistant', say('Assistant'), actions.assistant),
      iconButton('people', say('People'), actions.people),
      iconButton('write', say('New conversation'), actions.newConversation)),
    h('button.find', { type: 'button', onclick: () => actions.search() }, icon('search'), h('span.cut', null, say('Search messages and people'))),
    h('div.scroll', { tabindex: -1 }, parts.requests, parts.conversations, parts.empty),
    parts.foot);
  for (const topic of /** @type {const} */ (['conversations', 'requests', 'typing', 'open'])) subscribe(topic, drawRows);
  for (const topic of /** @type {const} */ (['status', 'peers', 'connection'])) subscribe(topic, drawEdges);
  addEventListener('draft', drawRows);
  setInterval(drawRows, 60_000);
  drawEdges();
};

const drawEdges = () => {
  const { status, me } = state;
  const presence = status?.presence.away ? 'away' : status?.presence.state ?? 'offline';
  const words = status?.presence.text || presenceWord(state.connection === 'live' ? presence : 'offline');
  const label = say('You: {1}, {2}. Your name, picture and settings', me.name, words);
  parts.me.setAttribute('aria-label', label);
  parts.me.title = say('Your settings');
  fill(parts.me, face(me.name || 'Parlance', me.id, { presence }),
    h('span.cut', null, h('span.name.cut', { dir: 'auto' }, plainName(me.name) || 'Parlance'), h('small.cut', { dir: 'auto' }, words)));
  const connected = status?.counts.connected ?? 0;
  const { outbox: waiting = 0, failed = 0 } = status?.counts ?? {};
  fill(parts.foot,
    h('button', { type: 'button', onclick: actions.network }, icon('network'),
      state.connection === 'live' ? say('{1} connected', connected) : say('no daemon')),
    waiting > 0 && h('button', { type: 'button', onclick: actions.outbox }, icon('clock'),
      waiting === 1 ? say('1 message waits') : say('{1} messages wait', waiting)),
    failed > 0 && h('button', { type: 'button', onclick: actions.outbox }, icon('warn'),
      failed === 1 ? say('1 message has failed') : say('{1} messages have failed', failed)),
    notificationState() === 'default' && h('button', { type: 'button', onclick: () => askForNotifications().then(drawEdges) }, icon('bell'), say('Notify me')));
};

const drawRows = () => {
  fill(parts.requests, state.requests.length > 0 && h('li.heading', null, say('Ask to talk')), state.requests.map(requestRow));
  /** @type {Set<string>} */
  const kept = new Set();
  const all = [...state.conversations.values()].sort(byActivity).filter((one) => one.contact !== 'requested' && !one.hidden);
  const elements = all.map((one) => {
    kept.add(one.id);
    return conversationRow(one);
  });
  for (const id of rows.keys()) if (!kept.has(id)) rows.delete(id);
  put(parts.conversations, elements);
  fill(parts.empty, !all.length && !state.requests.length && h('div.empty', null,
    h('p', null, say('No conversations yet.')),
    h('button.button', { type: 'button', onclick: actions.newConversation }, say('Write to somebody nearby'))));
};

/** Puts elements in an order, moving only those at other places, so that the focus stays.
 * @param {Element} parent @param {Element[]} elements */
const put = (parent, elements) => {
  elements.forEach((element, i) => {
    if (parent.children[i] !== element) {
      const focused = element.contains(document.activeElement) ? document.activeElement : null;
      parent.insertBefore(element, parent.children[i] ?? null);
      focused?.focus();
    }
  });
  while (parent.children.length > elements.length) parent.lastElementChild?.remove();
};

/** @param {API.ConversationInfo} a @param {API.ConversationInfo} b */
const byActivity = (a, b) =>
  Number(b.pinned === true) - Number(a.pinned === true) || (b.lastActivity ?? '').localeCompare(a.lastActivity ?? '');

/** @param {API.RequestEvent} request */
const requestRow = (request) => {
  const name = plainName(request.name) || request.peer.slice(0, 12);
  return h('li', null, h('button.row', { type: 'button', onclick: () => showConversation(request.peer) },
    face(name, request.peer),
    h('span', { class: 'cut' }, h('span.name.cut', { dir: 'auto' }, name), h('span.second', null, h('span.cut', { dir: 'auto' }, request.preview ?? ''))),
    h('span.end', null, h('time', { datetime: request.time }, when(request.time)), h('span.badge', null, say('new')))));
};

/** @param {API.ConversationInfo} one */
const conversationRow = (one) => {
  const typing = state.typing.get(one.id);
  const draft = one.id === state.open ? '' : draftOf(one.id)?.text?.trim();
  const isOpen = one.id === state.open;
  const view = JSON.stringify([one.title, one.trust, one.presence, one.unread, one.mentions, one.muted, one.pinned, one.lastMessage,
    one.contact, typing && [...typing.values()].map((t) => t.name), draft, isOpen, one.lastActivity && when(one.lastActivity)]);
  const known = rows.get(one.id);
  if (known?.view === view) return known.element;
  const button = known?.button ?? h('button.row', { type: 'button', onclick: () => showConversation(one.id) });
  const element = known?.element ?? h('li', null, button);
  const title = titleOf(one);
  if (isOpen) button.setAttribute('aria-current', 'true');
  else button.removeAttribute('aria-current');
  fill(button,
    face(one.title, one.peer ?? one.id, { presence: one.presence, group: one.kind === 'group' }),
    h('span.cut', null, h('span.name.cut', { dir: 'auto' }, title), one.presence && h('span.only-read', null, presenceWord(one.presence)), secondLine(one, typing, draft)),
    h('span.end', null,
      one.lastActivity && h('time', { datetime: one.lastActivity, title: fullTime(one.lastActivity) }, when(one.lastActivity)),
      h('span.marks', null,
        one.muted && labelled('mute', say('muted')), one.pinned && labelled('pin', say('pinned')),
        one.mentions > 0 && h('span.badge', { title: say('mentions you') }, h('span', { 'aria-hidden': 'true' }, '@'), h('span.only-read', null, say('mentions you'))),
        one.unread > 0 && h('span.badge', { class: one.muted ? 'quiet' : '' }, h('span.only-read', null, say('unread:'), ' '), one.unread > 999 ? '999+' : String(one.unread)))));
  rows.set(one.id, { view, element, button });
  return element;
};

/** @param {import('./dom.js').Icon} name @param {string} label */
const labelled = (name, label) => [icon(name), h('span.only-read', null, label)];

/** @param {API.ConversationInfo} one @param {import('./state.js').Typing|undefined} typing @param {string|undefined} draft */
const secondLine = (one, typing, draft) => {
  if (typing?.size) {
    const names = [...typing.values()].map((t) => shownName(t.name, t.trust));
    return h('span.second', null, h('span.cut', { dir: 'auto' }, typingText(names)));
  }
  if (draft) return h('span.second', null, h('span.draft', null, say('Draft:')), h('span.cut', { dir: 'auto' }, draft.slice(0, 100)));
  const text = one.contact === 'waiting' ? say('Waits until {1} accepts.', titleOf(one))
    : one.lastMessage ? messageLine(one.lastMessage, one.kind === 'group') : say('No messages yet.');
  return h('span.second', null, h('span.cut', { dir: 'auto' }, text));
};

/** Up and Down move through the list.
 * @param {KeyboardEvent} event */
const walk = (event) => {
  const step = stepOf(event);
  if (!step) return;
  const all = [...parts.conversations.querySelectorAll('button.row')];
  all[all.findIndex((one) => one === document.activeElement) + step]?.focus();
  event.preventDefault();
};
