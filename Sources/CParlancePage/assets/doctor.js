// The doctor: what is wrong, why, what to do about it, and buttons where one helps.

import { call } from './api.js';
import { fill, h, icon, iconButton } from './dom.js';
import { personName, plainName, shownName } from './names.js';
import { button, finding, sheetOver } from './parts.js';
import { state } from './state.js';
import { complain, goTo, openPage } from './view.js';
import { actions } from './views.js';
import { ago, fullTime, say } from './words.js';
import { label } from './labels.js';

/** Where something can be done about a finding, by its code.
 * @type {Record<string, [hash: string, words: () => string]|undefined>} */
const PLACES = {
  disk: ['#/me', () => say('Show the files')],
  workspace: ['#/me', () => label.workspace()],
  admission: ['#/me', () => label.workspace()],
  stranger: ['#/me', () => label.workspace()],
  outside: ['#/me', () => label.workspace()],
  asked: ['#/outbox', () => say('Show what waits')],
};

/** When it began, and buttons; in a sheet about somebody without a link to the same person.
 * @param {API.NodeStatusProblem} problem @param {string} [who] */
const help = (problem, who) => {
  const place = PLACES[problem.code];
  const peer = problem.about && state.peers.get(problem.about);
  const buttons = [
    peer && peer.id !== who && button(say('Show {1}', plainName(peer.displayName)), () => actions.person(peer.id)),
    place && button(place[1](), () => goTo(place[0])),
  ].filter(Boolean);
  return [
    problem.since && h('small', null, say('Since {1}.', fullTime(problem.since))),
    buttons.length > 0 && h('div.buttons', null, buttons),
  ];
};

/** @param {string} title @param {string[]|undefined} all */
const lines = (title, all = []) => all.length > 0 && h('section.card', null, h('h2', null, title),
  h('ul.checks', null, all.map((one) => h('li', { dir: 'auto' }, one))));

const WAYS = { fixed: () => say('static address'), sighted: () => say('seen by mDNS'), remembered: () => say('remembered or told') };

const ways = (/** @type {API.WayInfo[]} */ all = []) => all.length > 0 && h('section.card', null, h('h2', null, say('Where they may answer')),
  h('ul.checks', null, all.map((one) => h('li', null,
    h('span.mono', null, one.addresses.join(', ')), `: ${WAYS[one.kind]?.() ?? one.kind}`,
    one.lastError && [h('br'), say('last try failed: {1}', one.lastError)], one.nextTry && [h('br'), label.nextTry(ago(one.nextTry))]))));

const forks = (/** @type {API.ForkInfo[]} */ all) => all.length > 0 && h('section.card', null, h('h2', null, say('Two branches')), all.map((fork) =>
  h('p', { dir: 'auto' }, say('What {1} wrote in {2} goes on in {3} branches: a restored backup or a copied folder. All are kept and shown.',
    personName(fork.author), plainName(fork.title), fork.branches.length))));

/** @param {API.Findings} found @param {string} [who] */
const result = (found, who) => [
  found.problems.length > 0
    ? h('div.stack', null, found.problems.map((one) => finding(one, help(one, who))))
    : h('p.trust.good', { role: 'status' }, icon('check'), h('span', null, say('No problems.'))),
  forks(found.forks), ways(found.ways), lines(say('What was looked at'), found.looked), lines(say('What could not be checked'), found.unchecked),
];

/** Runs the doctor and shows its findings; until they come, shows the known ones.
 * @param {Element} place @param {API.DoctorOperation} params @param {API.NodeStatusProblem[]} known */
const look = async (place, params, known) => {
  const isFirst = !place.childElementCount;
  const waiting = h('p.muted', { role: 'status' }, say('Looking… This takes up to 15 seconds.'));
  if (isFirst) fill(place, waiting, known.map((one) => finding(one, help(one, params.who))));
  else place.prepend(waiting);
  place.setAttribute('aria-busy', 'true');
  try {
    fill(place, result(await call('doctor', params), params.who));
  } catch (error) {
    waiting.remove();
    complain(error);
  }
  place.removeAttribute('aria-busy');
};

/** The page of findings. */
export const openDoctor = () => {
  const place = h('div.stack.narrow');
  const again = () => look(place, {}, state.status?.problems ?? []);
  openPage(label.doctor(), place, { tools: [iconButton('retry', say('Look again'), again)] });
  again();
};

/** A sheet that says what keeps you from reaching somebody.
 * @param {API.PeerInfo} peer */
export const openDoctorOf = (peer) => {
  const place = h('div.stack.plain');
  sheetOver({ title: say('You and {1}', shownName(peer.displayName, peer.trust)), body: place, wide: true });
  look(place, { who: peer.id }, peer.problems ?? []);
};
