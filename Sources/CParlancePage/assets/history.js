// The loaded messages of one conversation: a window of its history, kept up to date by pages and events. These come in
// any order; an event received while a page was under way is newer than the page.

import { call } from './api.js';

const PAGE = 50;
const MOST = 300;
const MOST_AWAY = 600;
/** @type {API.MessageStatus[]} */
const RANKS = ['staged', 'sending', 'sent', 'delivered', 'read'];
export const rank = (/** @type {API.MessageStatus} */ status) => RANKS.indexOf(status);

/** Where a message belongs among those of its conversation.
 * @param {API.MessageInfo} message */
export const placeOf = (message) => message.position ?? '';

/**
 * @typedef {{items: API.MessageInfo[], hasOlder: boolean, hasNewer: boolean, firstNew: string|null,
 *   conversation: API.ConversationInfo|null, busy: string}} Window
 */

/** @typedef {Pick<API.StatusEvent, 'status'|'statusWords'|'sequence'>} Progress */

/**
 * @param {string} who for the daemon
 * @param {{changed: () => void, atEnd: () => boolean}} screen changed: something is to be drawn; atEnd: the reader sees the end
 */
export const openHistory = (who, screen) => {
  /** @type {Window} */
  const window = { items: [], hasOlder: false, hasNewer: false, firstNew: null, conversation: null, busy: '' };
  let isClosed = false;
  /** What events told while a page was on its way: the messages that came or changed, those that went, how far own ones
   * have come.
   * @type {{ids: Set<string>, gone: Set<string>, reached: Progress[]}|null} */
  let told = null;
  /** @type {Promise<unknown>} */
  let turn = Promise.resolve();

  const place = (/** @type {string} */ id) => window.items.findIndex((one) => one.id === id);
  const find = (/** @type {string} */ id) => window.items[place(id)];

  /** Inserts messages at their places, replacing those with the same IDs.
   * @param {API.MessageInfo[]} messages */
  const merge = (messages) => {
    const all = new Map(window.items.map((one) => [one.id, one]));
    for (const one of messages) {
      if (told?.gone.has(one.id)) continue;
      const known = told?.ids.has(one.id) && all.get(one.id);
      all.set(one.id, known || one);
    }
    window.items = [...all.values()].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : placeOf(a) > placeOf(b) ? 1 : 0));
  };

  /** The line "New" is above the first unread message. */
  const findNew = () => {
    const at = window.items.findIndex((one) => one.unread);
    if (at >= 0 && (!window.firstNew || place(window.firstNew) > at || place(window.firstNew) < 0)) window.firstNew = window.items[at].id;
  };

  /**
   * One page at a time.
   * @param {string} busy
   * @param {() => Partial<API.HistoryOperation>|false|0} ask gives parameters
   * @param {(page: API.HistoryReply) => void} take
   * @returns {Promise<boolean>} whether something was read
   */
  const page = (busy, ask, take) => {
    const result = turn.then(async () => {
      const params = !isClosed && ask();
      if (!params) return false;
      told = { ids: new Set(), gone: new Set(), reached: [] };
      window.busy = busy;
      screen.changed();
      try {
        const answer = await call('history', { who, limit: PAGE, ...params });
        if (isClosed) return false;
        if (params.after === undefined || params.before || params.around) window.conversation = answer.conversation;
        take(answer);
        for (const one of told.reached.splice(0)) progressed(one);
        return true;
      } finally {
        told = null;
        window.busy = '';
        if (!isClosed) screen.changed();
      }
    });
    turn = result.catch(() => {});
    return result;
  };

  /** Replaces the window with a page. Messages after the page stay if nothing is missing in between. */
  const replace = (/** @type {API.HistoryReply} */ { messages, more, newer }) => {
    const ids = new Set(messages.map((one) => one.id));
    const end = messages.at(-1)?.position ?? '';
    const isLater = (/** @type {API.MessageInfo} */ one) => !newer && placeOf(one) > end;
    window.items = window.items.filter((one) => told?.ids.has(one.id) && (ids.has(one.id) || isLater(one)));
    merge(messages);
    Object.assign(window, { hasOlder: more, hasNewer: newer === true });
    findNew();
  };

  const toEnd = () => page('end', () => ({}), replace);

  const around = (/** @type {string} */ id, limit = PAGE) => page('around', () => ({ around: id, limit }), replace);

  /** Loads the page around the first unread message, or the end if there is none. */
  const toUnread = () => page('around', () => ({ unread: true }), replace);

  const older = () =>
    page('older', () => window.hasOlder && window.items.length && { before: window.items[0].id }, ({ messages, more }) => {
      merge(messages);
      window.hasOlder = more;
      if (window.items.length > MOST) Object.assign(window, { items: window.items.slice(0, MOST), hasNewer: true });
    });

  const newer = () =>
    page('newer', () => window.hasNewer && window.items.length && { after: window.items.slice(-1)[0].id },
      ({ messages, more }) => {
        merge(messages);
        window.hasNewer = more;
        if (window.items.length > MOST) Object.assign(window, { items: window.items.slice(-MOST), hasOlder: true });
      });

  /** Reads the state of the newest messages again (who has read them, why they wait). */
  const refresh = () =>
    page('', () => !window.hasNewer && window.items.length && { limit: Math.min(100, window.items.length) }, ({ messages }) => merge(messages));

  // ------------------------------------------------------------------------------------------- Events

  const added = (/** @type {API.MessageInfo} */ message, /** @type {boolean} */ isSeen) => {
    if (find(message.id)) return changedTo(message);
    told?.ids.add(message.id);
    if (!message.mine && !message.note) message = { ...message, unread: true };
    const last = window.items.at(-1);
    if (window.hasNewer && last && placeOf(message) > placeOf(last)) return;
    if (window.hasOlder && last && placeOf(message) < placeOf(window.items[0])) return;
    if (!screen.atEnd() && window.items.length >= MOST_AWAY) { window.hasNewer = true; return; }
    merge([message]);
    if (message.mine) window.firstNew = null;
    else if (!isSeen && !window.firstNew && !message.note) window.firstNew = message.id;
    if (screen.atEnd() && window.items.length > MOST) Object.assign(window, { items: window.items.slice(-MOST), hasOlder: true });
  };

  /** `changed` has no status unless the message has failed: keep the known one. */
  const changedTo = (/** @type {API.MessageInfo} */ message) => {
    const at = place(message.id);
    if (at < 0) return;
    told?.ids.add(message.id);
    const { status, waitingReason, statusWords, reach, unread, sequence } = window.items[at];
    const next = { status, waitingReason, statusWords, reach, unread, sequence, ...message };
    if (next.position === window.items[at].position) window.items[at] = next;
    else { window.items.splice(at, 1); merge([next]); }
  };

  const remove = (/** @type {string[]} */ ids) => {
    for (const id of ids) told?.gone.add(id);
    const gone = new Set(ids);
    window.items = window.items.filter((one) => !gone.has(one.id));
  };

  /** All own messages up to a number have reached a status. */
  const progressed = (/** @type {Progress} */ { status, statusWords, sequence }) => {
    told?.reached.push({ status, statusWords, sequence });
    window.items = window.items.map((one) =>
      one.mine && (one.sequence ?? Infinity) <= sequence && one.status && rank(one.status) < rank(status)
        // In a group the words say how many have it: they are read again in a moment.
        ? { ...one, status, statusWords: one.reach ? one.statusWords : statusWords, waitingReason: undefined }
        : one);
  };

  const changeFile = (/** @type {string} */ id, /** @type {Partial<API.ShownFile>} */ values) => {
    window.items = window.items.map((one) => (one.files?.some((file) => file.file === id)
      ? { ...one, files: one.files.map((file) => (file.file === id ? { ...file, ...values } : file)) }
      : one));
  };

  const mine = (/** @type {{conversation: string}} */ data) => data.conversation === (window.conversation?.id ?? who);

  /**
   * Takes an event, and returns whether it changed a loaded message.
   * @param {Parameters<API.Listener>} event
   * @param {boolean} isSeen whether the reader sees the end of the conversation now
   */
  const apply = ([type, data], isSeen) => {
    const before = window.items;
    switch (type) {
      case 'message': case 'note': if (mine(data)) added(data, isSeen); break;
      case 'changed': if (mine(data)) changedTo(data); break;
      case 'withdrawn': remove([data.id]); break;
      case 'removed': if (mine(data)) remove(data.ids); break;
      case 'status': if (mine(data)) progressed(data); break;
      case 'file': {
        const { state, bytes, rate, why, waits } = data;
        changeFile(data.file, { state, bytes, rate, why, waits });
        break;
      }
      case 'upload': changeFile(data.file, { at: data.why ? undefined : { peer: data.peer, bytes: data.bytes } }); break;
      default: return;
    }
    if (before !== window.items || type === 'changed' || type === 'message') screen.changed();
  };

  /** Marks the messages up to one as read.
   * @param {string} id */
  const readThrough = (id) => {
    const end = find(id);
    if (!end) return;
    window.items = window.items.map((one) =>
      (one.unread && placeOf(one) <= placeOf(end) ? { ...one, unread: undefined } : one));
  };

  return { window, find, toEnd, toUnread, around, older, newer, refresh, apply, readThrough, close: () => { isClosed = true; } };
};
