// The network as a drawing: the user in the middle, connected people around, others further out, waiting messages on the lines; and a table.

import { h, icon, iconButton, svg } from './dom.js';
import { colour } from './face.js';
import { plainName, shownName } from './names.js';
import { aboutPerson, ask, card, finding, painter, readOn, table, textButton, watch } from './parts.js';
import { openPerson } from './person.js';
import { state } from './state.js';
import { goTo, openPage } from './view.js';
import { number, say } from './words.js';
import { label } from './labels.js';

/** @typedef {'direct'|'courier'|'through'|'nearby'|'gone'} Kind how somebody is linked */

/**
 * @param {API.PeerInfo} peer
 * @returns {Kind}
 */
const kindOf = (peer) => {
  if (peer.connected) return peer.courier ? 'courier' : 'direct';
  if (peer.problems?.some((one) => one.code === 'beyond')) return 'through';
  return peer.nearby ? 'nearby' : 'gone';
};

const kindWords = (/** @type {Kind} */ kind) => ({
  direct: say('connected'), courier: say('connected, a courier'), through: say('heard through others'), nearby: say('in sight'), gone: say('not here'),
})[kind];

/** Everybody to show, with the kind of link and the number of waiting messages.
 * @param {Map<string, number>} waiting */
const everybody = (waiting) => [...state.peers.values()].filter((one) => one.trust !== 'blocked')
  .map((one) => ({ peer: one, kind: kindOf(one), waits: waiting.get(one.id) ?? 0 }))
  .filter((one) => one.kind !== 'gone' || one.waits > 0 || one.peer.trust !== 'unknown')
  .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || b.waits - a.waits || a.peer.displayName.localeCompare(b.peer.displayName));

/** @type {Kind[]} */
const ORDER = ['direct', 'courier', 'through', 'nearby', 'gone'];

const cut = (/** @type {string} */ name) => ([...name].length > 12 ? `${[...name].slice(0, 11).join('')}…` : name);

/**
 * @param {string} id
 * @param {string} name
 * @param {number} x
 * @param {number} y
 * @param {Kind|'me'} kind
 * @param {string} about
 * @param {() => void} [onclick]
 */
const disc = (id, name, x, y, kind, about, onclick) => svg('g', { class: `node id${colour(id)} ${kind}`, onclick },
  svg('title', null, about),
  svg('circle', { cx: x, cy: y, r: kind === 'me' ? 28 : 20 }),
  svg('text', { class: 'initial', x, y: y + 5 }, [...plainName(name)][0]?.toLocaleUpperCase() ?? '?'));

/** @param {string} name @param {number} x @param {number} y */
const caption = (name, x, y) => svg('text', { class: 'label', x, y }, cut(plainName(name)));

/**
 * Places people on an ellipse, as far apart as possible.
 * @param {Place[]} all
 * @param {{x: number, y: number, rx: number, ry: number}} ellipse
 * @param {number} turn the first angle
 * @returns {Placed[]}
 */
const ring = (all, { x, y, rx, ry }, turn) => {
  const at = (/** @type {number} */ i) =>
    [x + Math.cos(turn + (i * Math.PI) / 180) * rx, y + Math.sin(turn + (i * Math.PI) / 180) * ry];
  const way = [0];
  for (let i = 1; i <= 360; i += 1) way.push(way[i - 1] + Math.hypot(at(i)[0] - at(i - 1)[0], at(i)[1] - at(i - 1)[1]));
  return all.map((one, i) => {
    const [px, py] = at(way.findIndex((length) => length >= (way[360] * i) / all.length));
    return { ...one, x: px, y: py };
  });
};

/** @typedef {{peer: Omit<API.PeerInfo, 'unread'|'addresses'>, kind: Kind, waits: number}} Place */
/** @typedef {Place & {x: number, y: number}} Placed */

const isLinked = (/** @type {Place} */ one) => ['direct', 'courier', 'through'].includes(one.kind);

/** @param {Placed} one @param {{x: number, y: number}} middle */
const link = (one, { x, y }) => (isLinked(one) || one.waits > 0)
  && svg('path', { class: `wire ${isLinked(one) ? one.kind : 'waiting'}`, d: `M${x} ${y}L${one.x} ${one.y}` });

/** The number of waiting messages, on the line.
 * @param {Placed} one @param {{x: number, y: number}} middle */
const badge = (one, { x, y }) => {
  const part = isLinked(one) ? 0.52 : 0.77;
  const at = { cx: x + (one.x - x) * part, cy: y + (one.y - y) * part };
  return one.waits > 0 && svg('g', { class: 'waits' }, svg('circle', { ...at, r: 12 }), svg('text', { x: at.cx, y: at.cy + 4 }, one.waits > 99 ? '99+' : String(one.waits)));
};

/** @param {Place[]} all @param {boolean} isNarrow */
const drawing = (all, isNarrow) => {
  const [near, far] = isNarrow ? [6, 7] : [12, 14];
  const close = all.filter(isLinked).slice(0, near);
  const outer = all.filter((one) => !isLinked(one)).sort((a, b) => b.waits - a.waits).slice(0, far);
  const count = close.length + outer.length;
  const width = isNarrow ? 340 : 680;
  const height = outer.length ? count < 6 ? 340 : 440 : count < 4 ? 240 : 340;
  const middle = { x: width / 2, y: height / 2 - 8 };
  const outside = { ...middle, rx: width / 2 - 44, ry: height / 2 - 46 };
  const part = outer.length ? 0.58 : 0.85;
  const inside = { ...middle, rx: outside.rx * part, ry: outside.ry * part };
  const people = [...ring(outer, outside, Math.PI * (1 + 1 / Math.max(2, close.length))), ...ring(close, inside, Math.PI)];
  const left = all.length - people.length;
  return [
    svg('svg', { class: 'net', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': say('The network as a drawing. The table below says the same.') },
      svg('ellipse', { class: 'orbit', cx: middle.x, cy: middle.y, rx: inside.rx, ry: inside.ry }),
      people.map((one) => link(one, middle)),
      people.map((one) => disc(one.peer.id, one.peer.displayName, one.x, one.y, one.kind,
        `${shownName(one.peer.displayName, one.peer.trust)}: ${kindWords(one.kind)}`, () => openPerson(one.peer.id))),
      people.map((one) => badge(one, middle)),
      disc(state.me.id, state.me.name, middle.x, middle.y, 'me', label.you()),
      people.map((one) => caption(one.peer.displayName, one.x, one.y + 37)),
      caption(state.me.name, middle.x, middle.y + 46)),
    left > 0 && h('p.help.middle', null, say('{1} more are in the table.', left)),
  ];
};

const sample = (/** @type {Kind} */ kind) => svg('svg', { class: 'sample', viewBox: '0 0 32 12', 'aria-hidden': 'true' },
  svg('path', { class: `wire ${kind}`, d: 'M0 6H32' }));

const legend = (/** @type {Place[]} */ all) => {
  const kinds = new Set(all.map((one) => one.kind));
  return h('ul.legend', null,
    kinds.has('direct') && h('li', null, sample('direct'), say('direct link')),
    kinds.has('courier') && h('li', null, sample('courier'), say('link to a courier')),
    kinds.has('through') && h('li', null, sample('through'), say('through others')),
    all.some((one) => one.waits) && h('li', null, h('span.count', { 'aria-hidden': 'true' }, '3'), say('messages that wait')));
};

const rows = (/** @type {Place[]} */ all) => all.map(({ peer, kind, waits }) => [
  textButton(shownName(peer.displayName, peer.trust), () => openPerson(peer.id), { dir: 'auto', 'data-key': peer.id }),
  kindWords(kind),
  h('span', { dir: 'auto' }, aboutPerson(peer)),
  waits ? number(waits) : '–',
]);

/**
 * @typedef {{all: Place[], counts: {connected: number, nearby: number}, problems: API.NodeStatusProblem[],
 *   isNarrow: boolean}} Shown
 */

/** The page of the network. */
export const openNetwork = () => {
  const place = h('div.stack.narrow');
  const narrow = matchMedia('(max-width: 44rem)');
  /** @type {Map<string, number>} */
  let waiting = new Map();
  const paint = painter(place, (/** @type {Shown} */ { all, counts, problems, isNarrow }) => [
    h('p.lead', { role: 'status' }, counts.connected ? say('{1} connected, {2} nearby.', counts.connected, counts.nearby) : say('Nobody is connected.')),
    problems.map((one) => finding(one)),
    all.length > 0 && h('figure.card', null, drawing(all, isNarrow), legend(all)),
    all.length > 0 && card(say('The same as a table'), table(say('Who is here, how, and what waits'), [label.name(), say('Link'), label.presence(), say('Waits')], rows(all))),
    !all.length && h('div.empty', null, icon('network'), h('p', null, say('Nobody is in sight. Whoever runs Parlance on this network appears by themselves.'))),
  ]);
  const draw = () => paint({
    all: everybody(waiting).map(({ peer: { lastSeen, unread, addresses, ...peer }, ...one }) => ({ ...one, peer: peer.presence && peer.presence !== 'offline' ? peer : { ...peer, lastSeen } })),
    counts: state.status?.counts ?? { connected: 0, nearby: 0 },
    problems: (state.status?.problems ?? []).filter((one) => one.severity === 'problem' || one.code === 'update').slice(0, 3),
    isNarrow: narrow.matches,
  });
  const read = async () => {
    const outbox = await ask('outbox');
    if (!outbox) return;
    waiting = new Map();
    for (const item of outbox.items) for (const one of item.recipients) waiting.set(one.id, (waiting.get(one.id) ?? 0) + 1);
    draw();
  };
  /** @type {(() => void)[]} */
  let ends = [];
  openPage(say('Network'), place, {
    onLeave: () => ends.forEach((end) => end()),
    tools: [
      iconButton('clock', label.outbox(), () => goTo('#/outbox')),
      iconButton('shield', say('What is wrong'), () => goTo('#/doctor')),
    ],
  });
  narrow.addEventListener('change', draw);
  ends = [
    watch(['peers', 'status'], draw),
    readOn(['status', 'reached', 'failed', 'message', 'withdrawn'], read),
    () => narrow.removeEventListener('change', draw),
  ];
};
