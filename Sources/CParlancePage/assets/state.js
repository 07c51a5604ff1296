// What the page knows: one store, filled by requests and events, watched by the parts of the page.

import { call, listen } from './api.js';
import { rank } from './history.js';

/**
 * @typedef {'conversations'|'peers'|'requests'|'status'|'connection'|'typing'|'open'} Topic
 */

/** @typedef {Map<string, {name: string, trust?: API.Trust, timer: number}>} Typing who is typing, by peer */

/** @enum {unknown} */
export const state = {
  /** @type {{id: string, name: string}} you */
  me: { id: '', name: '' },
  /** @type {API.NodeStatus|null} */
  status: null,
  /** @type {Map<string, API.ConversationInfo>} by ID, in the order of the list */
  conversations: new Map(),
  /** @type {Map<string, API.PeerInfo>} by peer ID */
  peers: new Map(),
  /** @type {API.RequestEvent[]} who asks to talk */
  requests: [],
  /** @type {Map<string, Typing>} by conversation */
  typing: new Map(),
  /** @type {'starting'|'live'|'away'|'cookie'} */
  connection: 'starting',
  /** the ID of the conversation that is shown, '' for none */
  open: '',
  /** whether the person looks at its newest messages now
   * @type {() => boolean} */
  seesEnd: () => false,
  /** whether the daemon said that it stops */
  stopping: false,
};

/** @type {Map<Topic, Set<() => void>>} */
const watchers = new Map();
/** @type {Set<API.Listener>} */
const eventWatchers = new Set();
/** @type {Set<Topic>} */
let changed = new Set();

/**
 * Calls a function after changes of a topic, once for changes at the same time.
 * @param {Topic} topic
 * @param {() => void} fn
 * @returns {() => void} ends it
 */
export const subscribe = (topic, fn) => {
  const own = watchers.get(topic) ?? new Set();
  watchers.set(topic, own.add(fn));
  return () => own.delete(fn);
};

/**
 * Calls a function with each event of the daemon, and with ('again', {}) when everything shown must be read again.
 * @param {API.Listener} fn
 * @returns {() => void} ends it
 */
export const onEvent = (fn) => {
  eventWatchers.add(fn);
  return () => eventWatchers.delete(fn);
};

/** Notes a change of a topic.
 * @param {Topic} topic */
export const notify = (topic) => {
  if (!changed.size) {
    queueMicrotask(() => {
      const topics = changed;
      changed = new Set();
      for (const one of topics) for (const fn of [...(watchers.get(one) ?? [])]) fn();
    });
  }
  changed.add(topic);
};

// -------------------------------------------------------------------------------------------- Reading

/** A reader that runs at once; if called while it runs, it runs once more.
 * @param {() => Promise<void>} read */
const reader = (read) => {
  /** @type {Promise<void>|null} */
  let running = null;
  let again = false;
  const run = async () => {
    do {
      again = false;
      await read();
    } while (again);
  };
  return () => {
    if (running) again = true;
    else running = run().catch(() => {}).finally(() => { running = null; });
    return running;
  };
};

export const readConversations = reader(async () => {
  const { conversations } = await call('conversations');
  state.conversations = new Map(conversations.map((one) => [one.id, one]));
  notify('conversations');
});

export const readPeers = reader(async () => {
  state.peers = new Map((await call('peers')).peers.map((one) => [one.id, one]));
  notify('peers');
});

export const readRequests = reader(async () => {
  state.requests = (await call('requests')).requests;
  notify('requests');
});

export const readStatus = reader(async () => {
  state.status = await call('status');
  state.me = { id: state.status.peerID, name: state.status.name };
  notify('status');
});

const readAll = () => Promise.all([readStatus(), readConversations(), readPeers(), readRequests()]);

/** @type {Map<() => unknown, number>} */
const timers = new Map();
/** Reads a while later, once for all calls until then.
 * @param {() => unknown} read */
const soon = (read, delay = 300) => {
  if (!timers.has(read)) timers.set(read, setTimeout(() => { timers.delete(read); read(); }, delay));
};

// --------------------------------------------------------------------------------------------- Events

/** Puts a message into the list of conversations; the counts of the daemon are read soon after.
 * @param {API.MessageInfo} message */
const arrived = (message) => {
  const conversation = state.conversations.get(message.conversation);
  if (conversation && !message.waits) {
    const isLater = (conversation.lastMessage?.position ?? '') <= (message.position ?? '');
    if (isLater) Object.assign(conversation, { lastMessage: message, lastActivity: message.time });
    // A message that arrives in view is read in a moment: a number that comes and goes would only blink.
    const isSeen = conversation.id === state.open && state.seesEnd();
    if (!message.mine && !message.note && !message.blocked && !isSeen) conversation.unread += 1;
    notify('conversations');
  }
  stopTyping(message.conversation, message.sender);
  soon(readConversations, conversation ? 1000 : 50);
};

/** @param {string} conversation @param {string} peer */
const stopTyping = (conversation, peer) => {
  const typing = state.typing.get(conversation);
  const one = typing?.get(peer);
  if (!typing || !one) return;
  clearTimeout(one.timer);
  typing.delete(peer);
  if (!typing.size) state.typing.delete(conversation);
  notify('typing');
};

/** @param {API.TypingEvent} event */
const typed = ({ conversation, peer, displayName, trust, active }) => {
  stopTyping(conversation, peer);
  if (!active || trust === 'blocked') return;
  /** @type {Typing} */
  const typing = state.typing.get(conversation) ?? new Map();
  const timer = setTimeout(() => stopTyping(conversation, peer), 3500);
  state.typing.set(conversation, typing.set(peer, { name: displayName, trust, timer }));
  notify('typing');
};

/** @param {API.PresenceEvent} data */
const present = (data) => {
  const { presence, statusText, lastSeen } = data;
  const peer = state.peers.get(data.peer);
  if (peer) Object.assign(peer, { presence, statusText, lastSeen });
  for (const one of state.conversations.values()) if (one.peer === data.peer) one.presence = presence;
  notify('peers');
  notify('conversations');
};

/** @type {API.Listeners} */
const APPLY = {
  message: (data) => { arrived(data); soon(readStatus, 1000); },
  note: arrived,
  changed: () => soon(readConversations),
  withdrawn: () => soon(readConversations),
  removed: () => soon(readConversations),
  group: () => soon(readConversations),
  preference: () => soon(readConversations),
  status: (data) => {
    const conversation = state.conversations.get(data.conversation);
    const last = conversation?.lastMessage;
    // Not changed in place: the history on the screen may share the object, and redraws only other objects.
    const isReached = last?.mine && (last.sequence ?? Infinity) <= data.sequence && last.status && rank(last.status) < rank(data.status);
    if (conversation && isReached) conversation.lastMessage = { ...last, status: data.status };
    notify('conversations');
    soon(readStatus, 500);
  },
  failed: () => { soon(readConversations); soon(readStatus); },
  peer: (data) => {
    state.peers.set(data.id, { ...state.peers.get(data.id), ...data });
    notify('peers');
    soon(readPeers, 800);
    soon(readConversations, 800);
    soon(readRequests, 300);
    soon(readStatus, 500);
  },
  presence: present,
  typing: typed,
  request: () => { soon(readRequests, 20); soon(readPeers); soon(readConversations); },
  discovery: () => soon(readStatus),
  stopping: () => { state.stopping = true; notify('connection'); },
  lagged: () => tell('again', {}),
};

/** @type {API.Listener} */
const tell = (...event) => {
  const [type, data] = event;
  /** @type {(data: object) => void} */ (APPLY[type])?.(data);
  for (const fn of [...eventWatchers]) fn(...event);
};

/** Reads everything and follows the events for ever. */
export const start = () => {
  const connected = (/** @type {typeof state.connection} */ connection) => {
    if (state.connection === connection) return;
    state.connection = connection;
    notify('connection');
  };
  listen({
    event: tell,
    open: async (isNew) => {
      state.stopping = false;
      if (isNew) await readAll();
      connected('live');
      tell(isNew ? 'again' : 'resumed', {});
    },
    away: (problem) => connected(problem ?? (state.connection === 'cookie' ? 'cookie' : 'away')),
  });
};
