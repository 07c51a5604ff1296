// Messages that the daemon has not taken yet, after the last message of a conversation.

import { fill, h, icon } from './dom.js';
import { dropOutgoing, retryOutgoing } from './outgoing.js';
import { state } from './state.js';
import { say } from './words.js';

const DELAY = 400;

/**
 * @param {() => import('./outgoing.js').Outgoing[]} items
 * @param {(one: import('./outgoing.js').Outgoing) => void} takeBack puts the text back into the field
 */
export const makeOutgoing = (items, takeBack) => {
  const element = h('ol.messages.pending', { 'aria-label': say('Not sent yet'), hidden: true });
  let view = '';
  /** @type {number|undefined} */
  let timer;

  const row = (/** @type {import('./outgoing.js').Outgoing} */ one) => h('li.msg.own.first.last', null,
    h('div.line', null, h('div.bubble', null, h('div.text', null, h('p', { dir: 'auto' }, one.text || say('{1} files', one.files?.length ?? 0))))),
    h('div.meta', null, one.state === 'failed'
      ? [h('span.error', { role: 'status', dir: 'auto' }, say('Not sent: {1}', one.error ?? '')), button(say('Try again'), () => retryOutgoing(one.key)),
        button(say('Change the text'), () => takeBack(one)), button(say('Discard'), () => dropOutgoing(one.key))]
      : [icon('clock'), h('span', null, state.connection === 'live' ? say('sending') : say('waits for the daemon'))]));

  /** @param {string} label @param {() => void} onclick */
  const button = (label, onclick) => h('button', { type: 'button', onclick }, label);

  const draw = () => {
    // Most are taken within milliseconds, and are not shown.
    const shown = items().filter((one) => one.state === 'failed' || Date.now() - Date.parse(one.time) > DELAY);
    clearTimeout(timer);
    if (shown.length < items().length) timer = setTimeout(() => element.isConnected && element.dispatchEvent(new Event('late')), DELAY + 50);
    const next = JSON.stringify([shown, state.connection === 'live']);
    if (next === view) return;
    view = next;
    element.hidden = !shown.length;
    fill(element, shown.map(row));
  };
  return { element, draw };
};
