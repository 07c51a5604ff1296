// The line under the head of a conversation that says why the two cannot talk: a request, a block, an end.

import { call } from './api.js';
import { fill, h } from './dom.js';
import { peopleNames, plainName, shownName } from './names.js';
import { readConversations, readPeers, readRequests, state } from './state.js';
import { complain, confirmSheet, goHome, toast } from './view.js';
import { say } from './words.js';

/** @param {() => API.ConversationInfo} info */
export const makeContact = (info) => {
  const element = h('div.contact', { role: 'status' });
  let view = '';

  const act = async (/** @type {'accept'|'decline'|'block'|'unblock'} */ method, /** @type {() => void} */ done) => {
    try {
      const peer = await call(method, { who: info().peer ?? info().id });
      if (peer.warning) toast(peer.warning);
      await Promise.all([readConversations(), readRequests(), readPeers()]);
      done?.();
    } catch (error) {
      complain(error);
    }
  };

  const block = async (/** @type {string} */ name) => {
    const isSure = await confirmSheet({
      title: say('Block {1}?', name), text: say('No links, requests or messages of {1} reach you until you end the block.', name),
      action: say('Block'), danger: true,
    });
    if (isSure) act('block', goHome);
  };

  /** @param {string} label @param {() => void} onclick */
  const button = (label, onclick, kind = '') => h('button.button', { type: 'button', class: kind, onclick }, label);

  const content = (/** @type {API.ConversationInfo} */ one) => {
    const name = shownName(one.title, one.trust);
    const request = state.requests.find((other) => other.peer === one.peer);
    const warning = request?.warning ?? one.warning;
    if (one.kind === 'group') {
      if (one.isMember !== false) return null;
      const by = one.ended && !one.ended.by.me ? say('{1} removed you', peopleNames([one.ended.by])) : null;
      return h('p', { dir: 'auto' }, by ? say('You are not a member of {1} any more: {2}.', plainName(one.title), by) : say('You are not a member of {1} any more.', plainName(one.title)));
    }
    if (one.contact === 'requested' || request) {
      return [
        h('p', { dir: 'auto' }, h('b', null, say('{1} asks to talk.', name)), ' ', request?.preview || one.preview ? h('q', { dir: 'auto' }, request?.preview ?? one.preview) : null),
        warning && h('p.warning', { dir: 'auto' }, say('Warning: {1}', warning)),
        h('div.buttons', null, button(say('Accept'), () => act('accept'), 'primary'), button(say('Decline'), () => act('decline', goHome)), button(say('Block'), () => block(name))),
      ];
    }
    if (one.contact === 'blocked') return [h('p', { dir: 'auto' }, say('{1} is blocked.', name)), h('div.buttons', null, button(say('End the block'), () => act('unblock')))];
    if (one.contact === 'waiting') return [h('p', { dir: 'auto' }, say('Waits until {1} accepts.', name)), warning && h('p.warning', { dir: 'auto' }, say('Warning: {1}', warning))];
    return warning ? h('p.warning', { dir: 'auto' }, say('Warning: {1}', warning)) : null;
  };

  const draw = () => {
    const one = info();
    const next = JSON.stringify([one.title, one.trust, one.contact, one.isMember, one.ended, one.warning, one.preview, state.requests.find((other) => other.peer === one.peer)]);
    if (next === view) return;
    view = next;
    const nodes = [content(one)].flat().filter(Boolean);
    element.hidden = !nodes.length;
    fill(element, nodes);
  };
  return { element, draw };
};
