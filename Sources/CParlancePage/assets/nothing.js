// The main area while no conversation is open.

import { comesBack } from './api.js';
import { h, icon } from './dom.js';
import { actions } from './views.js';
import { say } from './words.js';

/** Each view has a heading for screen readers. */
const heading = () => h('h1.only-read', null, 'Parlance');

/** The main area while no conversation is open. */
export const nothingOpen = () => [heading(), h('div.empty', null,
  icon('write'), h('p', null, say('Choose a conversation, or write to somebody nearby.')),
  h('button.button', { type: 'button', onclick: actions.newConversation }, say('New conversation')))];

/** The main area until the daemon has answered for the first time. */
export const notRunning = () => [heading(), h('div.empty', null,
  icon('network'), h('p', null, say('parlanced, the program that keeps your messages, does not run here.')),
  h('p', null, say('Start it with: parlanced')), h('p', null, comesBack()))];
