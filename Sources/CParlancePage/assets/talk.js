// Questions to the assistant and its answers, about one conversation or about all. The node keeps the questions; the
// results of suggestions last until the page is loaded again.

import { call, refusalOf } from './api.js';
import { onEvent } from './state.js';

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} time when it was asked
 * @property {'ask'|'summary'|'actions'|'due'|'decisions'|'missed'} kind
 * @property {string} title what was asked
 * @property {API.Said} [reply] of the daemon
 * @property {import('./api.js').Refusal} [error] why there is none
 * @property {boolean} [isBusy] the reply is still to come
 * @property {number} [kept] the ID of the turn as which the daemon keeps it
 * @property {string} [turn] names the question for streaming and cancelling
 * @property {string} [text] what the chat model has written until now
 */

/** @type {Record<string, (who?: string) => Promise<API.Said>>} */
const READ = {
  // Only offered about a conversation.
  summary: (who = '') => call('summary', { who }),
  actions: (who) => call('actions', { who }),
  due: (who) => call('actions', { who, due: true }),
  decisions: (who) => call('decisions', { who }),
  // Without a conversation: unread messages, the most urgent first.
  missed: (who) => (who ? call('summary', { who, missed: true }) : call('priority')),
};

/** The messages that a reply names.
 * @param {API.Said} reply */
const sourcesOf = (reply = {}) => {
  const unread = Array.isArray(reply.messages) ? reply.messages : [];
  const found = [reply.decisions ?? [], reply.actions ?? [], unread].flat().map((one) => one.source);
  return [...(reply.sources ?? []), ...(reply.points ?? []), ...found];
};

/** @typedef {{-readonly [K in keyof ReturnType<typeof makeTalk>]: ReturnType<typeof makeTalk>[K]}} Talk */

/** @param {string} [who] for the daemon; absent: about all */
const makeTalk = (who) => {
  /** @type {Entry[]} */
  let own = [];
  /** @type {(Entry & {kept: number})[]} */
  let kept = [];
  /** @type {Entry|null} */
  let running = null;
  const talk = {
    /** Called after an entry, or without one: after the list of them, changed.
     * @type {(entry?: Entry) => void} */
    changed: () => {},
    /** @returns {Entry[]} the oldest first */
    entries: () => {
      const ids = new Set(kept.map((one) => one.kept));
      const here = own.filter((one) => !one.kept || ids.has(one.kept));
      const shown = new Set(here.map((one) => one.kept));
      return [...kept.filter((one) => !shown.has(one.kept)), ...here].sort((a, b) => a.time.localeCompare(b.time));
    },
    isBusy: () => running !== null,
  };

  const add = (/** @type {Pick<Entry, 'kind'|'title'|'turn'>} */ entry) => {
    /** @type {Entry} */
    const added = { id: crypto.randomUUID(), time: new Date().toISOString(), isBusy: true, ...entry };
    own.push(added);
    talk.changed();
    return added;
  };

  /** @param {Entry} entry @param {() => Promise<API.Said>} read */
  const run = async (entry, read) => {
    try {
      entry.reply = await read();
      entry.error = undefined;
    } catch (error) {
      entry.error = refusalOf(error);
    }
    entry.isBusy = false;
    talk.changed(entry);
  };

  /** Reads the turns that the daemon keeps. */
  const read = async () => {
    const last = kept.at(-1)?.kept ?? 0;
    const { turns } = await call('talk', { who });
    /** @type {typeof kept} */
    const told = turns.map((one) => ({ id: `kept-${one.id}`, kept: one.id, time: one.time, kind: 'ask', title: one.question, reply: one }));
    // Keep one that came while these were read.
    kept = [...told, ...kept.filter((one) => one.kept > Math.max(last, told.at(-1)?.kept ?? 0))];
    talk.changed();
  };

  /** Reads it again, unless the assistant is off now: then the panel says so. */
  const readAgain = () => { read().catch(() => {}); };

  const ask = async (/** @type {string} */ question) => {
    const entry = add({ kind: 'ask', title: question, turn: crypto.randomUUID() });
    running = entry;
    talk.changed();
    await run(entry, () => call('ask', { question, who, turn: entry.turn }));
    running = null;
    const id = entry.reply?.kept;
    entry.kept = id;
    if (id) kept.push({ ...entry, kept: id, id: `kept-${id}` });
    talk.changed();
  };

  const cancel = async () => {
    if (running?.turn) await call('ask.cancel', { turn: running.turn });
  };

  /** Runs a suggestion.
   * @param {Entry['kind']} kind @param {string} title */
  const suggest = (kind, title) => {
    const entry = add({ kind, title });
    return run(entry, () => READ[kind](who));
  };

  /** Marks an action as done or open, and reads its list again.
   * @param {Entry} entry @param {API.ActionInfo} action @param {boolean} isDone */
  const note = async (entry, action, isDone) => {
    await call('actions.done', { id: action.id, done: isDone });
    await run(entry, () => READ[entry.kind](who));
  };

  const clear = async () => {
    await call('talk.clear', { who });
    own = own.filter((one) => one.isBusy);
    kept = [];
    talk.changed();
  };

  /** Texts may have been deleted without an event: the results of suggestions cannot be checked. */
  const refresh = () => {
    own = own.filter((one) => one.isBusy);
    readAgain();
  };

  /**
   * Drops results that name a message that is gone or has another text.
   * @param {Set<string>} ids
   * @param {boolean} areGone
   * @param {string} [text] that it has now: a reaction changes none
   */
  const forget = (ids, areGone, text) => {
    /** @param {API.AssistantSource} source */
    const isOther = ({ excerpt }) => text === undefined || !text.split(/[\r\n]+/).join(' ').startsWith(excerpt.replace(/…$/, ''));
    const names = (/** @type {Entry} */ one) => sourcesOf(one.reply).some((source) => ids.has(source.id) && (areGone || isOther(source)));
    if (kept.some(names)) readAgain();
    if (!own.some(names)) return;
    own = own.filter((one) => !names(one));
    talk.changed();
  };

  const stream = (/** @type {API.AnswerEvent} */ { turn, text }) => {
    const entry = own.find((one) => one.isBusy && one.turn === turn);
    if (!entry) return;
    entry.text = (entry.text ?? '') + text;
    talk.changed(entry);
  };
  return Object.assign(talk, { read, ask, cancel, suggest, note, clear, refresh, forget, stream });
};

/** @type {Map<string|undefined, Talk>} */
const talks = new Map();

/** The talk about a conversation.
 * @param {string} [who] for the daemon; absent: about all */
export const talkAbout = (who) => {
  const talk = talks.get(who) ?? makeTalk(who);
  talks.set(who, talk);
  return talk;
};

/** The assistant is off: nothing of it is kept. */
export const forgetTalks = () => talks.clear();

onEvent((type, data) => {
  if (type === 'answer') for (const one of talks.values()) one.stream(data);
  if (type === 'again') for (const one of talks.values()) one.refresh();
  if (type !== 'removed' && type !== 'withdrawn' && type !== 'changed') return;
  const ids = new Set(type === 'removed' ? data.ids : [data.id]);
  const [areGone, text] = type === 'changed' ? [Boolean(data.deleted), data.text] : [true];
  for (const one of talks.values()) one.forget(ids, areGone, text);
});
