// People: the page with everybody, the requests to talk, and the sheet that starts a conversation.

import { h, icon, iconButton, stepOf } from './dom.js';
import { openNewGroup } from './groups.js';
import { plainName } from './names.js';
import { button, painter, personCells, watch } from './parts.js';
import { acceptPerson, blockPerson, declinePerson, openPerson } from './person.js';
import { state } from './state.js';
import { openPage, openSheet, showConversation } from './view.js';
import { ago, say } from './words.js';
import { label } from './labels.js';

/** @param {API.PeerInfo} peer @param {string} query */
const fits = (peer, query) => [peer.displayName, peer.name, peer.id].some((text) => text?.toLowerCase().includes(query));

/** @param {string} label @param {(query: string) => void} find */
const searchField = (label, find) => h('input.input', {
  type: 'search', 'aria-label': label, placeholder: label, autocomplete: 'off',
  oninput: (event) => find(event.currentTarget.value.trim().toLowerCase()),
});

const requestCard = (/** @type {API.RequestEvent} */ request) => {
  const name = plainName(request.name) || request.peer.slice(0, 12);
  const peer = { id: request.peer, displayName: name, trust: /** @type {const} */ ('unknown') };
  return h('li.request', null,
    h('div.row', null, personCells(peer, say('asks to talk, {1}', ago(request.time)))),
    request.warning && h('p.notice', null, icon('warn'), h('span', { dir: 'auto' }, request.warning)),
    request.preview && h('p.excerpt', { dir: 'auto' }, request.preview),
    h('div.buttons', null,
      button(label.accept(), () => acceptPerson(request.peer), { kind: 'primary', 'data-key': `accept ${request.peer}`, 'aria-label': say('Accept {1}', name) }),
      button(label.decline(), () => declinePerson(request.peer), { 'aria-label': say('Decline {1}', name) }),
      button(label.block(), () => blockPerson(peer), { 'aria-label': say('Block {1}', name) })));
};

const personRow = (/** @type {API.PeerInfo} */ peer) => h('li.with-button', null,
  h('button.row', { type: 'button', 'data-key': peer.id, onclick: () => openPerson(peer.id) }, personCells(peer)),
  peer.trust !== 'blocked' && iconButton('write', say('Write to {1}', plainName(peer.displayName)), () => showConversation(peer.id), { 'data-key': `write ${peer.id}` }));

/** @param {API.PeerInfo[]} peers @returns {[string, API.PeerInfo[]][]} */
const groupsOf = (peers) => [
  [say('Connected'), peers.filter((one) => one.connected && one.trust !== 'blocked')],
  [say('Nearby'), peers.filter((one) => !one.connected && one.nearby && one.trust !== 'blocked')],
  [say('Not here now'), peers.filter((one) => !one.connected && !one.nearby && one.trust !== 'blocked')],
  [say('Blocked'), peers.filter((one) => one.trust === 'blocked')],
];

/** The page with everybody. */
export const openPeople = () => {
  const place = h('div.stack');
  /** @typedef {{requests: API.RequestEvent[], peers: API.PeerInfo[]}} Shown */
  const paint = painter(place, (/** @type {Shown} */ { requests, peers }) => [
    requests.length > 0 && h('section.card', null, h('h2', null, say('Requests to talk')),
      h('p.help', null, say('Identity not verified yet: a name is what somebody claims to be.')), h('ul.rows', null, requests.map(requestCard))),
    groupsOf(peers).filter(([, all]) => all.length).map(([title, all]) => h('section.card', null, h('h2', null, title), h('ul.rows', null, all.map(personRow)))),
    !peers.length && !requests.length && h('div.empty', null, icon('people'), h('p', null, label.nobody())),
  ]);
  let query = '';
  const draw = () => paint({
    requests: query ? [] : state.requests,
    peers: [...state.peers.values()].filter((one) => !one.asks && (!query || fits(one, query))),
  });
  const find = searchField(say('Find people'), (text) => { query = text; draw(); });
  let end = () => {};
  openPage(say('All people'), h('div.stack.narrow', null, find, place), {
    onLeave: () => end(),
    tools: [iconButton('plus', say('Write to somebody, or make a group'), openNew)],
  });
  end = watch(['peers', 'requests'], draw);
};

/** The sheet that starts a conversation. */
export const openNew = () => {
  const list = h('ul.rows');
  let query = '';
  const go = (/** @type {string} */ id) => { sheet.close(); showConversation(id); };
  const draw = painter(list, (/** @type {{peers: API.PeerInfo[], isBlank: boolean}} */ { peers, isBlank }) => [
    peers.map((peer) => h('li', null, h('button.row', { type: 'button', 'data-key': peer.id, onclick: () => go(peer.id) }, personCells(peer)))),
    !peers.length && h('li.help', null, isBlank
      ? label.nobody() : say('Nobody of that name is known here. They appear as soon as their node is found in the network.')),
  ]);
  const update = () => draw({
    peers: [...state.peers.values()].filter((one) => one.trust !== 'blocked' && fits(one, query)), isBlank: !query,
  });
  const find = searchField(say('Name or peer ID'), (text) => { query = text; update(); });
  find.addEventListener('keydown', (event) => {
    const first = list.querySelector('button');
    if (event.key === 'ArrowDown' || event.key === 'Enter') { event.preventDefault(); if (event.key === 'Enter') first?.click(); else first?.focus(); }
  });
  list.addEventListener('keydown', (event) => {
    const all = [...list.querySelectorAll('button')];
    const step = stepOf(event);
    if (!step) return;
    const at = all.findIndex((one) => one === document.activeElement) + step;
    event.preventDefault();
    (all[at] ?? (at < 0 ? find : null))?.focus();
  });
  const end = watch(['peers'], update);
  const sheet = openSheet({
    title: say('Write to somebody'),
    body: [find, h('button.row', { type: 'button', onclick: () => { sheet.close(); openNewGroup(); } },
      h('span.round', null, icon('people')), h('span.name', null, label.newGroup()), icon('forward')), list],
    onClose: () => end(),
  });
  find.focus();
};
