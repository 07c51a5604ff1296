// The details of a person: name, trust, problems, the settings of the conversation, blocking, forgetting.

import { call } from './api.js';
import { h, icon } from './dom.js';
import { face } from './face.js';
import { openDoctorOf } from './doctor.js';
import { plainName, shownName } from './names.js';
import { aboutPerson, ask, button, copyButton, field, finding, form, openPane, painter, readOn, section, switchRow, watch } from './parts.js';
import { preferences, settingsOf } from './preferences.js';
import { readConversations, readPeers, readRequests, state } from './state.js';
import { complain, confirmSheet, showConversation, toast } from './view.js';
import { openVerify } from './verify.js';
import { lastWeek } from './week.js';
import { fullTime, say } from './words.js';
import { label } from './labels.js';

const trustWords = (/** @type {API.Trust} */ trust) => ({
  verified: say('Verified: you have compared your numbers.'),
  accepted: say('Not verified: trust on first use. Compare your numbers to be sure who it is.'),
  unknown: say('Not accepted: their messages do not reach you.'),
  blocked: say('Blocked: their messages do not reach you, and they are not told.'),
})[trust];

const answered = () => { readRequests(); readPeers(); readConversations(); };

/** Accepts somebody who asks to talk.
 * @param {string} id of the peer */
export const acceptPerson = async (id) => {
  const peer = await ask('accept', { who: id });
  if (!peer) return;
  answered();
  if (peer.warning) toast(label.warning(peer.warning));
  else toast(say('{1} is accepted. Their messages reach you.', shownName(peer.displayName, peer.trust)));
};

/** Drops the request of somebody.
 * @param {string} id of the peer */
export const declinePerson = async (id) => {
  const peer = await ask('decline', { who: id });
  if (!peer) return;
  answered();
  toast(say('{1} is declined, and is not told. They can ask again after a day.', plainName(peer.displayName)));
};

/** Blocks somebody after a confirmation.
 * @param {API.Somebody} peer */
export const blockPerson = async (peer) => {
  const name = plainName(peer.displayName);
  const isSure = await confirmSheet({ title: say('Do you want to block {1}?', name), action: label.block(), danger: true,
    text: say('Their messages no longer reach you. They are not told. You can end that at any time.') });
  if (!isSure || !(await ask('block', { who: peer.id }))) return;
  toast(say('{1} is blocked now.', name));
  answered();
};

const unblock = async (/** @type {API.PeerInfo} */ peer) => {
  const now = await ask('unblock', { who: peer.id });
  if (!now) return;
  const name = shownName(now.displayName, now.trust);
  toast(now.trust === 'unknown' ? say('{1} is no longer blocked, and can ask to talk.', name) : say('{1} is no longer blocked, and is accepted.', name));
  readPeers();
  readConversations();
};

/** @param {API.PeerInfo} peer @param {() => void} close */
const forget = async (peer, close) => {
  const name = plainName(peer.displayName);
  const isSure = await confirmSheet({ title: say('Forget {1}?', name), action: label.forget(), danger: true,
    text: say('Whether you accepted and verified {1}, the alias and the addresses are removed. Your messages are kept.', name) });
  if (!isSure || !(await ask('forget', { who: peer.id }))) return;
  toast(say('{1} is forgotten. Your messages are kept.', name));
  close();
  readPeers();
};

const head = (/** @type {API.PeerInfo} */ peer) => h('div.head', null,
  face(peer.displayName, peer.id, { presence: peer.presence, size: 'large' }),
  h('p.big', { dir: 'auto' }, shownName(peer.displayName, peer.trust)),
  h('p.muted', { dir: 'auto' }, aboutPerson(peer)));

const mainButtons = (/** @type {API.PeerInfo} */ peer) => {
  if (peer.trust === 'blocked') return button(say('Unblock'), () => unblock(peer), { 'data-key': 'unblock' });
  if (peer.asks) return [
    button(label.accept(), () => acceptPerson(peer.id), { kind: 'primary' }),
    button(label.decline(), () => declinePerson(peer.id)),
  ];
  const isKnown = peer.trust === 'accepted' || peer.trust === 'verified';
  return [
    button(say('Write'), () => showConversation(peer.id), { kind: 'primary', symbol: 'write', 'data-key': 'write' }),
    isKnown && button(peer.trust === 'verified' ? say('Numbers') : say('Verify'), () => openVerify(peer.id), { symbol: 'shield', 'data-key': 'verify' }),
  ];
};

const facts = (/** @type {API.PeerInfo} */ peer) => h('dl.facts', null,
  peer.name && peer.name !== peer.displayName && [h('dt', null, say('Own name')), h('dd', { dir: 'auto' }, plainName(peer.name))],
  peer.lastSeen && [h('dt', null, say('Last here')), h('dd', null, fullTime(peer.lastSeen))],
  peer.addresses?.length > 0 && [h('dt', null, say('Addresses')), h('dd.mono', null, peer.addresses.join(', '))],
  peer.nextTry && !peer.connected && [h('dt', null, say('Next try')), h('dd', null, fullTime(peer.nextTry))],
  [h('dt', null, label.peerID()), h('dd.mono', null, peer.id)]);

/**
 * @typedef {object} Shown
 * @property {API.PeerInfo} peer
 * @property {import('./preferences.js').Conversation|null} conversation
 * @property {API.SeenReply|null} seen
 */

/** @param {Shown} shown @param {() => void} close */
const draw = ({ peer, conversation, seen }, close) => {
  const isKnown = peer.trust === 'accepted' || peer.trust === 'verified';
  const symbol = peer.trust === 'blocked' ? 'block' : peer.trust === 'verified' ? 'shield' : 'info';
  return [
    head(peer),
    h('div.buttons.middle', null, mainButtons(peer)),
    h('p.trust', { class: peer.trust === 'verified' ? 'good' : '' }, icon(symbol), h('span', null, trustWords(peer.trust))),
    peer.warning && h('div.notice', null, icon('warn'), h('span', { dir: 'auto' }, label.warning(peer.warning))),
    peer.newName && h('div.notice.calm', null, icon('info'), h('span', { dir: 'auto' }, say('They call themselves {1} now.', plainName(peer.newName)))),
    (peer.problems ?? []).map((problem) => finding(problem)),
    !peer.connected && isKnown && button(say('Find out why they are not connected'), () => openDoctorOf(peer), { 'data-key': 'why' }),
    conversation && peer.trust !== 'blocked' && conversation.contact !== 'requested' && section(label.conversation(), preferences(conversation)),
    section(say('Name here'), aliasForm(peer)),
    isKnown && section(say('Courier'), switchRow(say('Carries sealed messages between you and people who are not here at the same time'), peer.courier === true,
      async (isOn) => { await ask('courier', { who: peer.id, remove: isOn ? undefined : true }); readPeers(); }, { 'data-key': 'courier' }),
      h('p.help', null, say('In a workspace all members do this for each other, without this switch.'))),
    isKnown && seen && lastWeek(seen),
    section(say('More about them'), facts(peer), h('div.buttons', null, copyButton(peer.id, say('Copy the ID'), { 'data-key': 'copy' }))),
    h('div.buttons', null,
      peer.trust !== 'blocked' && button(label.block(), () => blockPerson(peer), { symbol: 'block', 'data-key': 'block' }),
      button(label.forget(), () => forget(peer, close), { symbol: 'trash', 'data-key': 'forget' })),
  ];
};

const aliasForm = (/** @type {API.PeerInfo} */ peer) => {
  const input = h('input.input', { value: peer.alias ?? '', maxlength: 64, dir: 'auto', placeholder: plainName(peer.name), 'data-key': 'alias' });
  return form(field(say('Alias'), input, say('Only you see it. Empty: the name that they give themselves.')), say('Save the alias'), async () => {
    const now = await ask('alias', { who: peer.id, name: input.value.trim() });
    if (!now) return;
    toast(say('{1} is now shown as {2}.', plainName(peer.name) || peer.id.slice(0, 12), shownName(now.displayName, now.trust)));
    readPeers();
    readConversations();
  });
};

/** Shows the details of a person.
 * @param {string} id of the peer */
export const openPerson = async (id) => {
  /** @type {API.PeerInfo|null} */
  let other = null;
  if (!state.peers.has(id)) {
    try { other = (await call('verify', { who: id })).peer; } catch (error) { complain(error); return; }
  }
  const body = h('div.stack');
  let end = () => {};
  const pane = await openPane(label.person(), body, () => end());
  const conversationOf = () => [...state.conversations.values()].find((one) => one.peer === id);
  /** @type {API.SeenReply|null} */
  let seen = null;
  const paint = painter(body, (/** @type {Shown} */ shown) => draw(shown, pane.close));
  const redraw = () => {
    const known = state.peers.get(id) ?? other;
    if (!known) return;
    const { unread, ...peer } = known;
    // Do not redraw while an alias is being typed.
    const field = document.activeElement;
    const isAlias = field instanceof HTMLInputElement && field.dataset.key === 'alias' && body.contains(field);
    if (isAlias && field.value.trim() !== (peer.alias ?? '')) return;
    paint({ peer, conversation: settingsOf(conversationOf()), seen });
  };
  const ends = [
    watch(['peers', 'conversations'], redraw),
    readOn((type, data) => type === 'peer' && data.id === id, async () => { seen = await call('seen', { who: id }).catch(() => null); redraw(); }),
  ];
  end = () => ends.forEach((one) => one());
};
