// Starts the page, and shows what the address says: #/c/CONVERSATION, #/c/CONVERSATION/MESSAGE, #/network…

import { loadWords } from './words.js';

await loadWords();

// What has words of its own is loaded once the words are there.
const { start, state, subscribe } = await import('./state.js');
const { showMain } = await import('./view.js');
const { actions, forgetViews, loadViews } = await import('./views.js');
const { startList } = await import('./list.js');
const { openConversation } = await import('./conversation.js');
const { notRunning, nothingOpen } = await import('./nothing.js');
const { startBanner } = await import('./banner.js');
const { startAttention } = await import('./attention.js');
const { startKeys } = await import('./keys.js');
const { startOutgoing } = await import('./outgoing.js');

const VIEWS = {
  people: actions.people, me: actions.me, network: actions.network, outbox: actions.outbox, doctor: actions.doctor,
  new: actions.newConversation, search: actions.search,
};

const route = () => {
  const [, kind, id, message] = decodeURI(location.hash).split('/');
  document.body.dataset.at = kind ? 'main' : 'list';
  forgetViews();
  if (kind === 'c' && id) openConversation(id, message);
  else if (VIEWS[kind]) VIEWS[kind]();
  else showMain(nothingOpen());
};

startList();
startBanner();
startAttention();
startKeys();
startOutgoing();
start();
const offline = setTimeout(() => state.connection !== 'cookie' && showMain(notRunning()), 1500);
const end = subscribe('connection', () => {
  if (state.connection !== 'live') return;
  end();
  clearTimeout(offline);
  addEventListener('hashchange', route);
  route();
  (globalThis.requestIdleCallback ?? setTimeout)(loadViews);
});

if ('serviceWorker' in navigator) {
  const policy = globalThis.trustedTypes?.createPolicy('worker', { createScriptURL: () => '/worker.js' });
  navigator.serviceWorker.register(policy ? policy.createScriptURL('') : '/worker.js').catch(() => {});
  navigator.serviceWorker.ready.then(({ active }) => {
    const loaded = performance.getEntriesByType('resource').map((one) => new URL(one.name)).filter((one) => one.origin === location.origin);
    active.postMessage(['/', ...loaded.map((one) => one.pathname)]);
  });
}
