// The head of a conversation: who it is with, who is here, and buttons for details and search.

import { openConversationMenu } from './clearing.js';
import { fill, h, iconButton } from './dom.js';
import { face } from './face.js';
import { plainName, shownName, titleOf } from './names.js';
import { state } from './state.js';
import { presenceWord } from './texts.js';
import { goHome } from './view.js';
import { actions } from './views.js';
import { ago, say } from './words.js';

/**
 * @param {() => API.ConversationInfo} info
 * @param {() => API.GroupInfo|null} group
 */
export const makeHead = (info, group) => {
  const details = () => (info().kind === 'group' ? actions.groupDetails(info().id) : actions.person(info().peer ?? info().id));
  const picture = h('span');
  const name = h('h1.cut', { dir: 'auto' });
  const about = h('p.cut', { dir: 'auto' });
  const title = h('button.title', { type: 'button', onclick: details }, picture, h('span', null, name, about));
  const element = h('header.bar', null,
    iconButton('back', say('Back to the conversations'), goHome, { class: 'back' }),
    title,
    h('div.tools', null,
      iconButton('search', say('Search in this conversation'), () => actions.search(`in:"${plainName(info().title)}" `)),
      iconButton('assistant', say('Assistant'), () => actions.assistantOf(info()), { 'data-key': 'assistant' }),
      iconButton('info', say('Details'), details),
      iconButton('more', say('More about this conversation'), (event) => openConversationMenu(event.currentTarget, info()), { 'aria-haspopup': 'menu' })));

  let view = '';
  const draw = () => {
    const one = info();
    const next = JSON.stringify([one.title, one.trust, one.presence, aboutText(one, group())]);
    if (next === view) return;
    view = next;
    fill(picture, face(one.title, one.peer ?? one.id, { presence: one.presence, group: one.kind === 'group' }));
    fill(name, titleOf(one));
    fill(about, aboutText(one, group()));
  };
  return { element, draw };
};

/** @param {API.ConversationInfo} one @param {API.GroupInfo|null} group */
const aboutText = (one, group) => {
  if (one.kind === 'group') return groupText(one, group);
  const peer = state.peers.get(one.peer ?? one.id);
  const presence = one.presence ?? peer?.presence;
  if (!presence) return peer?.nearby ? say('nearby') : '';
  const words = presence === 'offline' && peer?.lastSeen ? say('last here {1}', ago(peer.lastSeen)) : presenceWord(presence);
  return peer?.statusText ? `${words}: ${plainName(peer.statusText)}` : words;
};

/** @param {API.ConversationInfo} one @param {API.GroupInfo|null} group */
const groupText = (one, group) => {
  if (!group) return one.topic ?? '';
  const others = group.members.filter((member) => !member.me);
  if (!others.length) return say('You are the only member.');
  const here = others.filter((member) => member.connected || ['online', 'away', 'busy'].includes(member.presence)).length;
  const names = others.slice(0, 6).map((member) => shownName(member.displayName, member.trust)).join(', ');
  return say('{1}: {2} of {3} here', others.length > 6 ? `${names}…` : names, here, others.length);
};
