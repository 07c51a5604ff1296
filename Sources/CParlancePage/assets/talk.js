// What was asked of the assistant and answered, about one conversation or about all. A node that keeps the talk gives it
// back; otherwise it is here until the page is loaded again.

import { call } from './api.js';
import { onEvent } from './state.js';

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} time when it was asked
 * @property {'ask'|'summary'|'actions'|'due'|'decisions'|'missed'} kind
 * @property {string} title what was asked
 * @property {object} [reply] of the daemon
 * @property {Error & {advice?: string}} [error] why there is none
 * @property {boolean} [isBusy] the reply is still to come
 * @property {string} [kept] the ID of the same entry among those that the daemon keeps
 * @property {string} [turn] names the question for streaming and cancelling
 * @property {string} [text] what the chat model has written until now
 */

/** How many messages are looked through for the last one of the user. */
const NEWEST = 200;

/** What came since the user wrote last in a conversation; without one, what is unread, the most urgent first. */
const readMissed = async (who) => {
  if (!who) return call('priority');
  const { messages } = await call('history', { who, limit: NEWEST });
  const own = messages.findLast((one) => one.mine && !one.note);
  const since = own && new Date(Date.parse(own.time) + 1).toISOString();
  return { ...(await call('summary', { who, since })), since: own?.time };
};

const READ = {
  summary: (who) => call('summary', { who }),
  actions: (who) => call('actions', { who }),
  due: (who) => call('actions', { who, due: true }),
  decisions: (who) => call('decisions', { who }),
  missed: readMissed,
};

/** The messages that a reply names. @param {object} reply of any of the operations of the assistant */
const sourcesOf = (reply = {}) => {
  const unread = Array.isArray(reply.messages) ? reply.messages : [];
  const found = [reply.decisions ?? [], reply.actions ?? [], unread].flat().map((one) => one.source);
  return [...(reply.sources ?? []), ...(reply.points ?? []), ...found];
};

const makeTalk = (who) => {
  let own = [];
  let kept = [];
  let running = null;
  const talk = {
    /** Whether the daemon keeps it; null: not known yet. @type {boolean|null} */
    isKept: null,
    /** Called after an entry, or without one: after the list of them, changed. @type {(entry?: Entry) => void} */
    changed: () => {},
    /** @returns {Entry[]} the oldest first */
    entries: () => {
      const ids = new Set(kept.map((one) => one.id));
      const here = own.filter((one) => !one.kept || ids.has(one.kept));
      const shown = new Set(here.map((one) => one.kept));
      return [...kept.filter((one) => !shown.has(one.id)), ...here].sort((a, b) => a.time.localeCompare(b.time));
    },
    isBusy: () => running !== null,
  };

  const add = (entry) => {
    own.push({ id: crypto.randomUUID(), time: new Date().toISOString(), isBusy: true, ...entry });
    talk.changed();
    return own.at(-1);
  };

  const run = async (entry, read) => {
    try {
      entry.reply = await read();
      entry.error = undefined;
    } catch (error) {
      entry.error = error;
    }
    entry.isBusy = false;
    talk.changed(entry);
  };

  /** Reads what the daemon keeps; one that does not know the operation keeps nothing. */
  const readKept = async () => {
    try {
      const { turns } = await call('talk', { who });
      talk.isKept = true;
      kept = turns.map((one) => ({ id: `kept-${one.id}`, time: one.time, kind: 'ask', title: one.question, reply: one }));
    } catch (error) {
      talk.isKept ??= error.code === 'methodNotFound' ? false : null;
    }
  };

  talk.read = async () => {
    await readKept();
    talk.changed();
  };

  talk.ask = async (question) => {
    const turn = talk.isKept ? crypto.randomUUID() : undefined;
    const entry = add({ kind: 'ask', title: question, turn });
    running = entry;
    talk.changed();
    await run(entry, () => call('ask', { question, who, turn }));
    running = null;
    talk.changed();
    if (talk.isKept) await find(entry);
  };

  /** Learns which of those that the daemon keeps is the same as an entry. */
  const find = async (entry) => {
    const before = new Set(kept.map((one) => one.id));
    await readKept();
    entry.kept = kept.find((one) => !before.has(one.id) && one.title === entry.title)?.id;
    talk.changed();
  };

  talk.cancel = () => running?.turn && call('ask.cancel', { turn: running.turn });

  /** Asks what a suggestion stands for. @param {string} kind @param {string} title */
  talk.suggest = (kind, title) => {
    const entry = add({ kind, title });
    return run(entry, () => READ[kind](who));
  };

  /** Notes an action as done or open, and reads its list again. */
  talk.note = async (entry, action, isDone) => {
    await call('actions.done', { id: action.id, done: isDone });
    await run(entry, () => READ[entry.kind](who));
  };

  talk.clear = async () => {
    if (talk.isKept) await call('talk.clear', { who });
    own = own.filter((one) => one.isBusy);
    kept = [];
    talk.changed();
  };

  /** Texts may have been deleted while no event came: what came of suggestions cannot be compared. */
  talk.refresh = () => {
    own = own.filter((one) => one.isBusy);
    return talk.read();
  };

  /**
   * Forgets what names a message that is gone; the daemon may also forget what names one that has changed.
   * @param {string} [text] that it has now: a reaction changes none
   */
  talk.forget = (ids, areGone, text) => {
    const isOther = ({ excerpt }) => text === undefined || !text.split(/[\r\n]+/).join(' ').startsWith(excerpt.replace(/…$/, ''));
    const names = (one) => sourcesOf(one.reply).some((source) => ids.has(source.id) && (areGone || isOther(source)));
    if (talk.isKept && kept.some(names)) talk.read();
    if (!areGone || !own.some(names)) return;
    own = own.filter((one) => !names(one));
    talk.changed();
  };

  talk.stream = ({ turn, text }) => {
    const entry = own.find((one) => one.isBusy && one.turn === turn);
    if (!entry) return;
    entry.text = (entry.text ?? '') + text;
    talk.changed(entry);
  };
  return talk;
};

const talks = new Map();

/** The talk about a conversation. @param {string} [who] for the daemon; absent: about all */
export const talkAbout = (who) => {
  if (!talks.has(who)) talks.set(who, makeTalk(who));
  return talks.get(who);
};

/** The assistant is off: nothing of it is kept. */
export const forgetTalks = () => talks.clear();

onEvent((type, data) => {
  if (type === 'answer') for (const one of talks.values()) one.stream(data);
  if (type === 'again') for (const one of talks.values()) one.refresh();
  if (!['removed', 'withdrawn', 'changed'].includes(type)) return;
  const ids = new Set(data.ids ?? [data.id]);
  const areGone = type !== 'changed' || Boolean(data.deleted);
  for (const one of talks.values()) one.forget(ids, areGone, data.text);
});
