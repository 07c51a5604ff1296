// The path of a message: from whom, through whom, to whom, when, and why not, as a drawing and a table; its versions and files.

import { h, svg } from './dom.js';
import { colour } from './face.js';
import { listing, ago, clock, day, fullTime, number, say, size } from './words.js';
import { personName, plainName, shownName } from './names.js';
import { ask, openPane, painter, readOn, section, table, textButton } from './parts.js';
import { openPerson } from './person.js';
import { state } from './state.js';
import { messageText } from './texts.js';
import { label } from './labels.js';

const ROWS = 8;
const WIDTH = 320;
const STEP = 66;

/** "10:29", with the day if that is not today.
 * @param {string} time */
const moment = (time) => (day(time) === day(new Date()) ? clock(time) : fullTime(time));

/** @returns {API.Person} */
const me = () => ({ id: state.me.id, displayName: state.me.name, me: true });

/** @param {API.Person} person */
const short = (person) => {
  const name = personName(person);
  return [...name].length > 13 ? `${[...name].slice(0, 12).join('')}…` : name;
};

/** @param {API.Person} person @param {number} x @param {number} y @param {string} under */
const node = (person, x, y, under) => svg('g', { class: `id${colour(person.id)}` },
  svg('circle', { cx: x, cy: y, r: 13 }),
  svg('text', { class: 'initial', x, y: y + 4 }, [...plainName(person.displayName)][0]?.toLocaleUpperCase() ?? '?'),
  svg('text', { class: 'label', x, y: y + 28 }, short(person)),
  under && svg('text', { class: 'sub', x, y: y + 41 }, under));

/** @param {number[]} from @param {number[]} to @param {string} kind */
const line = (from, to, kind) => svg('path', { class: `wire ${kind}`, d: `M${from[0] + 16} ${from[1]}L${to[0] - 16} ${to[1]}` });

/** What the drawing shows: rows of [who, through whom, how far, time].
 * @param {API.MessageLife} life */
const hops = (life) => {
  if (!life.message.mine) return [{ person: me(), through: life.via ? [life.via] : [], kind: 'done', under: '' }];
  return life.recipients.slice(0, ROWS).map((one) => {
    const time = one.readAt ?? one.deliveredAt;
    return {
      person: one.person,
      through: one.via ? [one.via] : one.couriers ?? [],
      kind: one.delivered ? 'done' : 'waiting',
      under: time ? moment(time) : one.statusWords ?? '',
    };
  });
};

/** @param {API.MessageLife} life */
const drawing = (life) => {
  const rows = hops(life);
  if (!rows.length) return null;
  const height = rows.length * STEP + 16;
  /** @type {[number, number]} */
  const start = [34, height / 2 - 10];
  const author = life.message.mine ? me() : { id: life.message.sender, displayName: life.message.senderName, trust: life.message.senderTrust };
  /** @param {number} i @returns {[number, number]} */
  const end = (i) => [WIDTH - 48, i * STEP + 20];
  const lines = rows.flatMap((row, i) => {
    const middle = [WIDTH / 2, end(i)[1]];
    return row.through.length ? [line(start, middle, 'done'), line(middle, end(i), row.kind)] : [line(start, end(i), row.kind)];
  });
  return svg('svg', { class: 'way', viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': say('The way of the message as a drawing. The table below says the same.') },
    lines, node(author, ...start, moment(life.message.time)),
    rows.map((row, i) => [
      row.through.length > 0 && node(row.through[0], WIDTH / 2, end(i)[1], row.through.length > 1 ? label.more(row.through.length - 1) : ''),
      node(row.person, ...end(i), row.under),
    ]));
};

/** @param {API.Person[]} people */
const names = (people) => listing(people.map(personName));

/** @param {API.MessageLifeReceipt} receipt */
const how = (receipt) => {
  const time = receipt.readAt ?? receipt.deliveredAt;
  return [
    h('span', { class: receipt.delivered ? '' : 'waits' }, receipt.statusWords),
    time && h('small', { title: fullTime(time) }, say('no later than {1}', moment(time))),
    receipt.read && receipt.deliveredAt && receipt.readAt !== receipt.deliveredAt && h('small', null, say('delivered by {1}', moment(receipt.deliveredAt))),
    receipt.via && h('small', { dir: 'auto' }, say('told by {1}', personName(receipt.via))),
    receipt.couriers?.length ? h('small', { dir: 'auto' }, say('held for them by {1}', names(receipt.couriers))) : null,
    receipt.why && h('small', { dir: 'auto' }, receipt.why),
    receipt.nextTry && h('small', { title: fullTime(receipt.nextTry) }, label.nextTry(ago(receipt.nextTry))),
  ];
};

/** @param {API.MessageLife} life */
const ledger = (life) => life.recipients.length > 0 && section(say('For whom'),
  table(say('How far the message has come'), [label.person(), say('How far')], life.recipients.map((one) => [
    textButton(personName(one.person), () => openPerson(one.person.id), { dir: 'auto', 'data-key': one.person.id }), h('div.lines', null, how(one)),
  ])));

/** @param {API.MessageLife} life */
const versions = (life) => life.versions.length > 1 && section(say('Versions'),
  h('ol.versions', null, life.versions.map((one) => h('li', null, h('small.muted', null, fullTime(one.time)), h('p', { dir: 'auto' }, one.text ?? say('(not here)'))))));

/** @param {API.MessageInfo} message */
const reactions = ({ reactions: all = [] }) => all.length > 0 && section(say('Reactions'),
  h('ul', null, all.map((one) => h('li', { dir: 'auto' }, `${one.emoji} ${names(one.people)}${one.count > one.people.length ? ` +${number(one.count - one.people.length)}` : ''}`))));

/** @param {API.MessageLife} life */
const holders = (life) => {
  if (!life.holders?.length) return null;
  const files = new Map((life.message.files ?? []).map((one) => [one.file, one]));
  return section(say('Who has the files'), table(say('What others have of the files, as they last told'), [say('File'), say('Who'), say('How much')],
    life.holders.map((one) => {
      const file = files.get(one.file);
      const much = file && one.bytes >= file.size ? say('all of it') : file ? `${size(one.bytes)} / ${size(file.size)}` : size(one.bytes);
      return [h('span', { dir: 'auto' }, plainName(file?.name ?? '?')), h('span', { dir: 'auto' }, personName(one.person)), [much, one.why && h('small', { dir: 'auto' }, one.why)]];
    })));
};

/** @param {API.MessageLife} life */
const draw = (life) => [
  h('div.stack.tight', null, h('p.excerpt', { dir: 'auto' }, messageText(life.message).slice(0, 500) || label.noText()),
    h('p.muted', { dir: 'auto' }, life.message.mine ? say('Written by you in {1}, {2}.', plainName(life.title), fullTime(life.message.time))
      : say('Written by {1} in {2}, {3}.', shownName(life.message.senderName, life.message.senderTrust), plainName(life.title), fullTime(life.message.time)))),
  h('figure', null, drawing(life)),
  life.recipients.length > ROWS && h('p.help', null, say('The drawing shows the first {1} people.', ROWS)),
  !life.message.mine && life.via && h('p', { dir: 'auto' }, say('It came through {1}.', personName(life.via))),
  life.message.mine && !life.recipients.length && h('p', null, say('It is for nobody: nobody else was in the group.')),
  ledger(life), versions(life), reactions(life.message), holders(life),
];

/** Shows the path of a message.
 * @param {string} id of the message */
export const openLife = async (id) => {
  const body = h('div.stack');
  let conversation = '';
  let end = () => {};
  await openPane(say('The way of the message'), body, () => end());
  const paint = painter(body, draw);
  end = readOn((type, data) => type === 'upload' || ((type === 'status' || type === 'reached' || type === 'failed' || type === 'changed') && (!conversation || data.conversation === conversation)),
    async () => {
      const life = await ask('info', { id });
      if (!life) return;
      conversation = life.message.conversation;
      paint(life);
    });
};
