// Starts the chat, and shows what the address names: #/c/CONVERSATION, #/c/CONVERSATION/MESSAGE, #/network…

import { startAttention } from './attention.js';
import { startBanner } from './banner.js';
import { openConversation } from './conversation.js';
import { startKeys } from './keys.js';
import { startList } from './list.js';
import { notRunning, nothingOpen } from './nothing.js';
import { startOutgoing } from './outgoing.js';
import { start, state, subscribe } from './state.js';
import { showMain } from './view.js';
import { actions, forgetViews, loadViews } from './views.js';

/** @type {Map<string, () => void>} */
const VIEWS = new Map(Object.entries({
  people: actions.people, me: actions.me, network: actions.network, outbox: actions.outbox, doctor: actions.doctor,
  new: actions.newConversation, search: () => actions.search(), assistant: actions.assistant,
}));

/** The parts of the address; none if it is malformed. */
const addressed = () => {
  try {
    return decodeURI(location.hash).split('/');
  } catch {
    return [];
  }
};

const route = () => {
  const [, kind, id, message] = addressed();
  document.body.dataset.at = kind ? 'main' : 'list';
  forgetViews();
  const show = VIEWS.get(kind);
  if (kind === 'c' && id) openConversation(id, message);
  else if (show) show();
  else showMain(nothingOpen());
};

/** Caches the files of the page, so that it opens and explains itself while the daemon does not run. */
const startWorker = () => {
  if (!('serviceWorker' in navigator)) return;
  const policy = globalThis.trustedTypes?.createPolicy('worker', { createScriptURL: () => '/worker.js' });
  navigator.serviceWorker.register(policy ? policy.createScriptURL('') : '/worker.js').catch(() => {});
  navigator.serviceWorker.ready.then(({ active }) => {
    const loaded = performance.getEntriesByType('resource').map((one) => new URL(one.name)).filter((one) => one.origin === location.origin);
    active?.postMessage(['/', ...loaded.map((one) => one.pathname)]);
  });
};

// The daemon answers while the rest is being drawn.
start();
startList();
startBanner();
startAttention();
startKeys();
startOutgoing();
const offline = setTimeout(() => state.connection !== 'cookie' && showMain(notRunning()), 1500);
const end = subscribe('connection', () => {
  if (state.connection !== 'live') return;
  end();
  clearTimeout(offline);
  addEventListener('hashchange', route);
  route();
  (globalThis.requestIdleCallback ?? setTimeout)(() => loadViews().then(startWorker));
});
