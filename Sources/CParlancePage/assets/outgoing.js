// Messages under way to the daemon: kept in this browser until it has taken them, each exactly once. If the connection
// ends before the answer comes, the history shows whether the message was taken.

import { call, refusalOf, whyNot } from './api.js';
import { state, subscribe } from './state.js';
import { toast } from './view.js';
import { say } from './words.js';

const KEY = 'outgoing';
/** @type {Set<() => void>} */
const watchers = new Set();
/** @type {Set<string>} */
const claimed = new Set();

/**
 * @typedef {{key: string, conversation: string, who: string, text: string, reply?: string, files?: API.FileToSend[], time: string,
 *   state: 'new'|'unclear'|'failed', error?: string}} Outgoing
 */

/** @returns {Outgoing[]} */
const all = () => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') ?? [];
  } catch {
    return [];
  }
};
let memory = all();
/** Without it a message under way is lost with the page. */
let isKept = true;

const keep = (/** @type {Outgoing[]} */ items) => {
  memory = items;
  try {
    localStorage.setItem(KEY, JSON.stringify(items));
    isKept = true;
  } catch {
    isKept = false;
  }
  for (const fn of watchers) fn();
};

/** @param {string} key @param {Partial<Outgoing>} values */
const change = (key, values) => keep(memory.map((one) => (one.key === key ? { ...one, ...values } : one)));

/** The messages under way in a conversation.
 * @param {string} conversation @returns {Outgoing[]} */
export const outgoingOf = (conversation) => memory.filter((one) => one.conversation === conversation);

/** Calls a function after a change.
 * @param {() => void} fn */
export const watchOutgoing = (fn) => {
  watchers.add(fn);
  return () => watchers.delete(fn);
};

/**
 * Sends a message, after those that are under way.
 * @param {Pick<Outgoing, 'conversation'|'who'|'text'|'reply'|'files'>} message
 */
export const sendMessage = (message) => {
  keep([...memory, { ...message, key: crypto.randomUUID(), time: new Date().toISOString(), state: 'new' }]);
  return flush();
};

/** Withdraws a message that was not sent.
 * @param {string} key */
export const dropOutgoing = (key) => keep(memory.filter((one) => one.key !== key));

/** Tries a refused message again.
 * @param {string} key */
export const retryOutgoing = (key) => {
  change(key, { state: 'new', error: undefined });
  return flush();
};

/** @type {Promise<void>|null} */
let running = null;
/** Sends the messages one after the other, in one tab at a time. */
const flush = () => {
  running ??= work().finally(() => { running = null; });
  return running;
};

const work = () => navigator.locks.request(KEY, async () => {
  for (;;) {
    if (isKept) memory = all();
    const next = memory.find((one) => one.state !== 'failed');
    if (!next) break;
    if (await send(next)) continue;
    // While the daemon is away, its return resumes this; here only the answer was lost.
    setTimeout(() => state.connection === 'live' && flush(), 2000);
    break;
  }
  for (const fn of watchers) fn();
});

/** Tells the author of a text about a mention that means nobody.
 * @param {{unknownMentions?: API.UnknownMention[]}} reply */
export const tellUnknownMentions = ({ unknownMentions }) => {
  const unknown = unknownMentions?.[0];
  if (!unknown) return;
  const { typed, meant, absent } = unknown;
  if (absent) toast(say('{1} is not in the group, so @{2} mentions nobody.', absent, typed));
  else if (meant) toast(say('@{1} is nobody here, and mentions nobody. Did you mean @{2}?', typed, meant));
  else toast(say('@{1} is nobody here, and mentions nobody.', typed));
};

/** Whether the next one can be sent.
 * @param {Outgoing} one */
const send = async (one) => {
  try {
    if (one.state === 'unclear' && (await wasTaken(one))) {
      dropOutgoing(one.key);
      return true;
    }
    // From here on the daemon may have it: after a failure that is unclear.
    change(one.key, { state: 'unclear' });
    const params = { text: one.text, ...(one.files?.length ? { files: one.files } : {}) };
    const reply = one.reply ? await call('reply', { id: one.reply, ...params }) : await call('send', { who: one.who, ...params });
    claimed.add(reply.id);
    dropOutgoing(one.key);
    tellUnknownMentions(reply);
    return true;
  } catch (error) {
    const { code } = refusalOf(error);
    if (code === 'away' || code === 'stopping') return false;
    change(one.key, { state: 'failed', error: whyNot(error) });
    return true;
  }
};

const wasTaken = async (/** @type {Outgoing} */ one) => {
  const { messages } = await call('history', { who: one.who, limit: 200 });
  const found = messages.find((message) => message.mine && message.text === one.text && !claimed.has(message.id) &&
    message.answers?.id === one.reply && Date.parse(message.time) >= Date.parse(one.time) - 1000 &&
    (message.files ?? []).map((file) => file.file).join() === (one.files ?? []).map((file) => file.file).join());
  if (found) claimed.add(found.id);
  return Boolean(found);
};

/** Sends what is left, now and whenever the daemon comes back. */
export const startOutgoing = () => {
  subscribe('connection', () => state.connection === 'live' && memory.length && flush());
  addEventListener('storage', (event) => {
    if (event.key !== KEY) return;
    memory = all();
    for (const fn of watchers) fn();
  });
  if (memory.length && state.connection === 'live') flush();
};
