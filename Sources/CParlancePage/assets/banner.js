// The line at the top while the person cannot reach others: without the daemon, or with nobody else here.

import { byID, fill, h } from './dom.js';
import { state, subscribe } from './state.js';
import { actions } from './views.js';
import { say } from './words.js';

let shown = '';
/** @type {number|undefined} */
let timer;

/** Keeps the banner up to date. */
export const startBanner = () => {
  for (const topic of /** @type {const} */ (['connection', 'status', 'peers'])) {
    // States of less than a second (a link that is renewed, the start) are not shown.
    subscribe(topic, () => {
      document.body.toggleAttribute('data-away', state.connection !== 'live');
      const next = which();
      clearTimeout(timer);
      if (!next || next === 'stopping') draw(next);
      else timer = setTimeout(() => draw(which()), shown ? 0 : 1200);
    });
  }
};

/** @typedef {'stopping'|'away'|'cookie'|'alone'|'unlinked'} Trouble */

/** @returns {Trouble|''} */
const which = () => {
  if (state.stopping) return 'stopping';
  if (state.connection !== 'live') return state.connection === 'cookie' ? 'cookie' : 'away';
  if (!state.status || state.status.counts.connected > 0) return '';
  if ([...state.peers.values()].some((peer) => peer.connected)) return '';
  return state.status.counts.nearby > 0 || state.status.counts.accepted === 0 ? 'unlinked' : 'alone';
};

const draw = (/** @type {Trouble|''} */ next) => {
  const waiting = state.status?.counts.outbox ?? 0;
  const key = next + (waiting > 0);
  if (key === shown || (!next && !shown)) return;
  shown = next && key;
  const place = byID('banner');
  if (next === 'unlinked' && !waiting && !state.status?.problems.length) return place.replaceChildren();
  fill(place, next && h('div.banner', null, h('span', null, sentence(next)), buttons(next, waiting)));
};

const sentence = (/** @type {Trouble} */ next) => {
  switch (next) {
    case 'stopping': return say('The daemon stops. What you write stays here, and goes on when it is back.');
    case 'away': return say('The daemon does not answer. What you write stays here; the page goes on by itself when it is back.');
    case 'cookie': return say('This browser may not show the page any more. Run "parlance open" for a new link.');
    case 'unlinked': return say('You are connected to nobody. Messages wait and go out by themselves.');
    default: return say('You are alone on this network. Messages wait and go out by themselves.');
  }
};

/** @param {Trouble} next @param {number} waiting */
const buttons = (next, waiting) => {
  if (next !== 'alone' && next !== 'unlinked') return null;
  return [
    waiting > 0 && h('button.text-button', { type: 'button', onclick: actions.outbox }, say('What waits')),
    h('button.text-button', { type: 'button', onclick: actions.doctor }, say('Find out why')),
  ];
};
