// The conversation that is open: its head, history, who types, and the field.

import { call, refusalOf } from './api.js';
import { filesOf } from './attach.js';
import { makeComposer } from './composer.js';
import { makeContact } from './contact.js';
import { makeActions } from './doings.js';
import { byID, fill, h, icon } from './dom.js';
import { makeHead } from './head.js';
import { openHistory, placeOf } from './history.js';
import { makeLog } from './log.js';
import { plainName, shownName } from './names.js';
import { outgoingOf, watchOutgoing } from './outgoing.js';
import { makeOutgoing } from './pending.js';
import { nothingOpen } from './nothing.js';
import { notify, onEvent, readConversations, state, subscribe } from './state.js';
import { messageLine, typingText } from './texts.js';
import { complain, showMain, toast } from './view.js';
import { say } from './words.js';

/** @type {{id: string, who: string, jump: (id: string) => void, close: () => void, focus: () => void}|null} */
let open = null;

/**
 * Opens a conversation.
 * @param {string} id of the conversation, or of a peer
 * @param {string} [message] that is to be shown
 */
export const openConversation = async (id, message) => {
  if (open && (open.id === id || open.who === id)) return message ? open.jump(message) : open.focus();
  const known = state.conversations.get(id) ?? [...state.conversations.values()].find((one) => one.peer === id);
  build(known ?? { id, title: plainName(state.peers.get(id)?.displayName) || id.slice(0, 12), kind: 'direct', peer: state.peers.has(id) ? id : undefined, unread: 0, mentions: 0, contact: 'open' }, message);
};

/** @param {API.ConversationInfo} known @param {string} [message] */
const build = (known, message) => {
  let info = known;
  /** @type {API.GroupInfo|null} */
  let group = null;
  const who = known.kind === 'direct' && known.peer ? known.peer : known.id;
  /** @type {(() => void)[]} */
  const ends = [];
  const isReading = () => document.visibilityState === 'visible' && document.hasFocus();
  const canWrite = () => info.kind === 'group' ? info.isMember !== false : !['requested', 'blocked'].includes(info.contact);

  /** @type {Readonly<ReturnType<typeof openHistory>>} */
  const history = openHistory(who, { changed: () => later(draw), atEnd: () => log.atEnd() });
  const empty = h('div.empty');
  const pending = makeOutgoing(() => outgoingOf(info.id), (one) => composer?.takeBack(one));
  const typing = h('div.typing', { 'aria-live': 'polite', dir: 'auto' });
  const contact = makeContact(() => info);
  const bottom = h('div.bottom');
  const head = makeHead(() => info, () => group);
  /** @type {import('./composer.js').Composer|null} */
  let composer = null;

  const gone = () => toast(say('That message is not here any more.'));
  const jump = async (/** @type {string} */ id) => {
    try {
      if (log.show(id)) return;
      await history.around(id);
      draw();
      if (!log.show(id)) gone();
    } catch (error) {
      if (refusalOf(error).code === 'unknownMessage') gone();
      else complain(error);
    }
  };

  const doings = makeActions({ composer: () => composer, canWrite, isAdmin: () => group?.isAdmin === true, jump });
  /** @type {Readonly<ReturnType<typeof makeLog>>} */
  const log = makeLog({
    window: () => history.window, canWrite, doings, key: doings.key, below: pending.element,
    load: (kind) => (kind === 'end' ? history.toEnd() : history[kind]()).then((isMore) => { draw(); return isMore; }),
    seen: () => later(markRead, 200),
  });

  // ------------------------------------------------------------------------------------------ Drawing

  /** @type {Map<() => void, number>} */
  const timers = new Map();
  /** Combines calls within a moment into one.
   * @param {() => void} fn */
  const later = (fn, delay = 0) => {
    if (!timers.has(fn)) timers.set(fn, setTimeout(() => { timers.delete(fn); fn(); }, delay));
  };

  const draw = () => {
    clearTimeout(timers.get(draw));
    timers.delete(draw);
    pending.draw();
    log.draw();
    const isEmpty = canWrite() && history.window.conversation && !history.window.items.length && !history.window.busy;
    empty.hidden = !isEmpty;
    if (isEmpty) fill(empty, h('p', { dir: 'auto' }, info.kind === 'group' ? say('No messages yet.') : say('No messages yet. Say hi to {1}.', shownName(info.title, info.trust))));
    later(markRead, 200);
  };

  const drawFrame = () => {
    info = state.conversations.get(info.id) ?? info;
    head.draw();
    contact.draw();
    const title = shownName(info.title, info.trust);
    area.setAttribute('aria-label', say('Conversation with {1}', title));
    composer?.setTitle(title);
    if (canWrite() === Boolean(composer)) return;
    composer?.close();
    composer = canWrite() ? makeComposer({
      id: info.id, who, title, find: history.find, people,
      lastOwn: () => history.window.items.findLast((one) => one.mine && !one.note && !one.deleted && !one.waits),
      sent: () => { history.window.firstNew = null; log.toEnd(); },
    }) : null;
    fill(bottom, composer?.element);
    draw();
  };

  const drawTyping = () => {
    const names = [...(state.typing.get(info.id)?.values() ?? [])].map((one) => shownName(one.name, one.trust));
    const words = names.length ? typingText(names) : '';
    if (typing.textContent !== words) fill(typing, words);
  };

  const people = () => {
    if (info.kind === 'direct') return info.peer ? [{ id: info.peer, displayName: info.title }] : [];
    return [...(group?.members ?? []).filter((one) => !one.me), { id: 'all', displayName: 'all', all: true }];
  };

  const readGroup = async () => {
    if (info.kind !== 'group') return;
    group = await call('group.show', { group: info.id }).catch(() => group);
    drawFrame();
    later(draw);
  };

  // ------------------------------------------------------------------------------------------- Reading

  let lastRead = '';
  const markRead = async () => {
    if (!isReading() || !history.window.items.length || info.contact === 'requested') return;
    const through = log.lastSeen();
    const end = through && history.find(through);
    if (!end || through === lastRead) return;
    if (!history.window.items.some((one) => one.unread && placeOf(one) <= placeOf(end))) return;
    lastRead = through;
    try {
      const { marked } = await call('read', { who, through });
      history.readThrough(through);
      const listed = state.conversations.get(info.id);
      if (listed) listed.unread = Math.max(0, listed.unread - marked);
      notify('conversations');
      readConversations();
    } catch {
      lastRead = '';
    }
  };

  const announce = (/** @type {API.MessageInfo} */ data) => {
    if (!isReading() || data.mine || data.blocked) return;
    byID('said').textContent = messageLine(data, true);
  };

  const refresh = () => history.refresh().catch(() => {});
  const hasWaiting = () => history.window.items.some((one) => one.mine && (one.status === 'staged' || one.status === 'sending'));

  /** @type {API.Listener} */
  const took = (...event) => {
    const [type, data] = event;
    if (type === 'again') { again(); return; }
    const isHere = 'conversation' in data && data.conversation === info.id;
    if (type === 'message' && isHere) {
      if (!data.mine) log.missed();
      announce(data);
    }
    history.apply(event, isReading() && log.atEnd());
    if (type === 'group' && data.id === info.id) { group = data; later(drawFrame); later(refresh, 400); }
    if ((type === 'presence' || type === 'peer') && info.kind === 'group') later(readGroup, 500);
    if ((type === 'reached' || type === 'failed') && isHere) later(refresh, 400);
    if (type === 'peer' && hasWaiting()) later(refresh, 600);
    if (type === 'message' && isHere && data.mine && data.status === 'staged') later(refresh, 400);
  };

  /** After a gap in the stream, reads again what is shown; the reader stays at the same place. */
  const again = async () => {
    readGroup();
    const place = log.atEnd() ? null : log.firstVisible();
    if (place) await history.around(place.id, 100).catch(() => history.toEnd());
    else await history.toEnd().catch(() => {});
  };

  // -------------------------------------------------------------------------------------------- Frame

  const drop = h('div.drop', { hidden: true }, h('span', null, icon('attach'), say('Drop files here to add them')));
  const area = h('section.conversation', {
    ondragover: (event) => {
      if (!composer || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      drop.hidden = false;
    },
    ondragleave: ({ relatedTarget: to }) => { if (!(to instanceof Node && area.contains(to))) drop.hidden = true; },
    ondrop: (event) => { event.preventDefault(); drop.hidden = true; composer?.addFiles(filesOf(event.dataTransfer)); },
  }, head.element, contact.element, log.element, bottom, drop);
  log.element.append(empty, typing);
  pending.element.addEventListener('late', () => draw());

  const close = () => {
    history.close();
    composer?.close();
    for (const timer of timers.values()) clearTimeout(timer);
    for (const end of ends) end();
    if (open === own) { open = null; state.open = ''; notify('open'); }
  };
  const own = { id: info.id, who, jump, close, focus: () => composer?.focus() };

  showMain([area], close);
  open = own;
  state.open = info.id;
  state.seesEnd = () => isReading() && log.atEnd();
  notify('open');
  ends.push(onEvent(took), subscribe('conversations', drawFrame), subscribe('peers', () => later(drawFrame)), subscribe('typing', drawTyping), watchOutgoing(() => later(draw)));
  for (const [target, type] of /** @type {[EventTarget, string][]} */ ([[window, 'focus'], [document, 'visibilitychange']])) {
    const seen = () => later(markRead, 200);
    target.addEventListener(type, seen);
    ends.push(() => target.removeEventListener(type, seen));
  }
  drawFrame();
  drawTyping();
  readGroup();
  if (matchMedia('(hover: hover)').matches) own.focus();

  /** @returns {Promise<void>} */
  const begin = async () => {
    try {
      await (message ? history.around(message) : history.toUnread());
      const found = history.window.conversation;
      if (found && found.id !== info.id) {
        // The address named the peer: from here on it names the conversation.
        globalThis.history.replaceState(null, '', `#/c/${found.id}`);
        if (open !== own) return;
        close();
        return build({ ...found }, message);
      }
      info = { ...info, ...found };
      drawFrame();
      draw();
      composer?.drawAim();
      if (message) log.show(message);
      else log.toNew();
      markRead();
    } catch (error) {
      if (open !== own) return;
      const { code } = refusalOf(error);
      if (code === 'unknownMessage' && message) {
        gone();
        message = undefined;
        return begin();
      }
      if (code === 'unknownPeer') {
        showMain(nothingOpen());
        return toast(say('There is no such conversation here.'));
      }
      if (code !== 'away') complain(error);
    }
  };
  begin();
};
