// What the page does outside of its window: the title counts unread messages, notifications come while the person is
// elsewhere, and the daemon is told what is shown and whether somebody is here.

import { call, hasTab } from './api.js';
import { plainName, titleOf } from './names.js';
import { onEvent, state, subscribe } from './state.js';
import { messageLine } from './texts.js';
import { showConversation, toast } from './view.js';
import { say } from './words.js';

const IDLE = 60_000;
let lastInput = Date.now();
let isIdle = false;
/** @type {string|null} the conversation that the daemon knows to be shown */
let shown = null;

const isHere = () => document.visibilityState === 'visible' && document.hasFocus();

/** Starts it. */
export const startAttention = () => {
  for (const topic of /** @type {const} */ (['conversations', 'requests', 'open'])) subscribe(topic, drawTitle);
  subscribe('connection', () => { if (state.connection === 'live') { shown = null; tellShown(); tellIdle(isIdle); } });
  subscribe('open', () => { drawTitle(); tellShown(); });
  for (const type of ['focus', 'blur']) addEventListener(type, tellShown);
  document.addEventListener('visibilitychange', tellShown);
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'focus']) addEventListener(type, active, { passive: true, capture: true });
  setInterval(() => { if (!isIdle && Date.now() - lastInput > IDLE) tellIdle(true); }, 5000);
  onEvent((type, data) => {
    if (type === 'message') notifyOf(data);
    if (type === 'request') notifyOfRequest(data);
    if (type === 'workspace' && data.news.length) toast(data.news.join(' '));
  });
};

const drawTitle = () => {
  const unread = [...state.conversations.values()].filter((one) => !one.hidden).reduce((sum, one) => sum + (one.muted ? one.mentions : one.unread), 0) + state.requests.length;
  const open = state.conversations.get(state.open);
  const name = open ? `${titleOf(open)} · Parlance` : 'Parlance';
  const title = unread > 0 ? `(${unread}) ${name}` : name;
  if (document.title !== title) document.title = title;
  if (unread > 0) navigator.setAppBadge?.(unread).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
};

const active = () => {
  lastInput = Date.now();
  if (isIdle) tellIdle(false);
};

const tellIdle = (/** @type {boolean} */ value) => {
  isIdle = value;
  if (hasTab()) call('idle', { idle: value, since: new Date(lastInput).toISOString() }).catch(() => {});
};

const tellShown = () => {
  const next = isHere() ? state.open : '';
  if (next === shown || !hasTab()) return;
  shown = next;
  call('shows', next ? { conversation: next } : {}).catch(() => { shown = null; });
  if (isHere()) for (const one of notices.values()) one.close();
};

// ------------------------------------------------------------------------------------------- Notifications

/** @type {Map<string, Notification>} */
const notices = new Map();

/** Whether the browser can notify: 'granted', 'denied', 'default' (can be asked), or 'none'. */
export const notificationState = () => globalThis.Notification?.permission ?? 'none';

/** Asks the browser for the permission to notify; call it in response to a click. */
export const askForNotifications = async () => {
  const answer = await Notification.requestPermission();
  toast(answer === 'granted' ? say('The browser notifies you while you are elsewhere.') : say('The browser does not notify you. Its settings for this page can change that.'));
  return answer;
};

const isQuiet = () => state.status?.presence.state === 'busy' || isHere() || notificationState() !== 'granted';

/** @param {API.MessageInfo} message */
const notifyOf = (message) => {
  if (isQuiet() || message.mine || message.muted || message.blocked || message.note) return;
  const conversation = state.conversations.get(message.conversation);
  const isGroup = message.group != null;
  show(message.conversation, isGroup ? plainName(message.group) : titleOf(conversation ?? { kind: 'direct', title: message.senderName, trust: message.senderTrust }), messageLine(message, isGroup), () => showConversation(message.conversation));
};

/** @param {API.RequestEvent} request */
const notifyOfRequest = (request) => {
  if (isQuiet()) return;
  show('requests', say('{1} asks to talk.', plainName(request.name)), request.preview ?? '', () => showConversation(request.peer));
};

/** One notification for each conversation; the next message replaces it.
 * @param {string} tag @param {string} title @param {string} body @param {() => void} onclick */
const show = (tag, title, body, onclick) => {
  try {
    const notice = new Notification(title, { tag, body: body.slice(0, 200), icon: '/icon.svg', silent: true });
    notice.onclick = () => { window.focus(); onclick(); notice.close(); };
    notice.onclose = () => notices.delete(tag);
    notices.set(tag, notice);
  } catch {
    // Some browsers notify only from a worker.
  }
};
