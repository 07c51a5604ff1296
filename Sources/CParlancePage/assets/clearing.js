// Removing a conversation from this computer, or from the list.

import { openMenu } from './menu.js';
import { shownName, titleOf } from './names.js';
import { ask } from './parts.js';
import { readConversations } from './state.js';
import { confirmSheet, goHome, toast } from './view.js';
import { say } from './words.js';

/** @param {API.ConversationInfo} one */
const cleared = (one) => say('This removes everything that is in {1} now from this computer for good: messages, reactions, and files that no other message names. The others keep what they have.', titleOf(one));

/** @param {API.ConversationInfo} one */
const waits = (one) => one.ended
  ? one.ended.by.me ? say('What you wrote and nobody has received goes too: you left, so nobody gets it from here.')
    : say('What you wrote and nobody has received stays: you were removed, and may turn out to be a member still.')
  : say('What you wrote and somebody has not received yet stays until it is delivered.');

/** @param {API.ConversationInfo} one */
const follows = (one) => {
  if (one.kind === 'direct') return say('The conversation leaves your list until one of you writes in it again.');
  if (one.isMember === false) return say('The group leaves your list.');
  return say('The group leaves your list. You stay a member: what others write there is removed from this computer as it comes, until you show the group again or write in it.');
};

/** Says what was done.
 * @param {API.ClearReply} done @param {string} words */
const outcome = ({ waiting }, words) => {
  if (!waiting) return words;
  const rest = waiting === 1 ? say('1 entry of yours stays until it is delivered.') : say('{1} entries of yours stay until they are delivered.', waiting);
  return `${words} ${rest}`;
};

/** @param {{title: string, trust?: API.Trust}} of */
const nameOf = ({ title, trust }) => shownName(title, trust);

/** @param {API.ConversationInfo} one @param {string} who */
const clear = async (one, who) => {
  if (!(await confirmSheet({ title: say('Clear the conversation?'), action: say('Clear'), danger: true, text: `${cleared(one)} ${waits(one)}` }))) return;
  const done = await ask('conversation.clear', { who });
  if (!done) return;
  toast(outcome(done, say('{1} is cleared.', nameOf(done))));
  readConversations();
};

/** @param {API.ConversationInfo} one @param {string} who */
const remove = async (one, who) => {
  if (!(await confirmSheet({ title: say('Delete the conversation?'), action: say('Delete'), danger: true, text: `${cleared(one)} ${waits(one)} ${follows(one)}` }))) return;
  const done = await ask('conversation.delete', { who });
  if (!done) return;
  goHome();
  toast(outcome(done, say('{1} is deleted.', nameOf(done))));
  readConversations();
};

const hide = async (/** @type {string} */ who) => {
  const done = await ask('conversation.hide', { who });
  if (!done) return;
  goHome();
  toast(say('{1} is hidden until something new is written in it.', nameOf(done)));
  readConversations();
};

const show = async (/** @type {string} */ who) => {
  const done = await ask('conversation.show', { who });
  if (done) toast(say('{1} is in your list.', nameOf(done)));
  readConversations();
};

/** Opens the menu of a conversation.
 * @param {Element} anchor @param {API.ConversationInfo} one */
export const openConversationMenu = (anchor, one) => {
  const who = one.peer ?? one.id;
  openMenu(anchor, [
    one.hidden ? { label: say('Show in the list'), icon: 'info', run: () => show(who) } : { label: say('Hide'), icon: 'close', run: () => hide(who) },
    { label: say('Clear…'), icon: 'trash', danger: true, run: () => clear(one, who) },
    { label: say('Delete…'), icon: 'trash', danger: true, run: () => remove(one, who) },
  ], say('What to do with this conversation'));
};
