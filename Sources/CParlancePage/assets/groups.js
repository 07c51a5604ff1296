// Groups: making one, and its details with members, roles, title, topic, settings and leaving.

import { call, refusalOf } from './api.js';
import { fill, h, icon } from './dom.js';
import { face } from './face.js';
import { openMenu } from './menu.js';
import { peopleNames, personName, plainName } from './names.js';
import { aboutPerson, accepted, ask, button, field, form, openPane, painter, personCells, pickPeople, readOn, section, sheetOver } from './parts.js';
import { preferences, settingsOf } from './preferences.js';
import { readConversations, state } from './state.js';
import { confirmSheet, showConversation, toast } from './view.js';
import { actions } from './views.js';
import { fullTime, say } from './words.js';
import { label } from './labels.js';

/** @typedef {Omit<API.MemberInfo, 'lacks'>} Member */
/** @typedef {Omit<API.GroupInfo, 'members'> & {members: Member[]}} Group */

const CONFUSING = ['titleOfPerson', 'titleOfGroup'];

/**
 * Gives a group a title; one that looks like another name needs a second press.
 * @template {'group.create'|'group.rename'} M
 * @param {M} method
 * @param {Element} error
 * @param {(group: API.GroupInfo) => void} done
 * @returns {(params: API.Methods[M]['params']) => Promise<void>}
 */
const withTitle = (method, error, done) => {
  let refused = '';
  return async (params) => {
    try {
      const group = await call(method, { ...params, force: params.title === refused || undefined });
      done(group);
    } catch (problem) {
      const { message, advice = '', reason } = refusalOf(problem);
      const isConfusing = CONFUSING.includes(reason?.name ?? '');
      refused = isConfusing ? params.title : '';
      fill(error, `${message} ${isConfusing ? say('Choose another title, or press the button again to use it anyway.') : advice}`);
    }
  };
};

/** The sheet that makes a group. */
export const openNewGroup = () => {
  const title = h('input.input', { maxlength: 200, dir: 'auto', required: true, autocomplete: 'off' });
  const error = h('p.error', { role: 'alert' });
  /** @type {Set<string>} */
  const chosen = new Set();
  const people = accepted();
  const create = withTitle('group.create', error, (group) => {
    readConversations().then(() => { sheet.close(); showConversation(group.id); });
  });
  const sheet = sheetOver({
    title: label.newGroup(),
    body: form([
      field(say('Title'), title),
      people.length ? pickPeople(people, chosen, say('Members'))
        : h('p.help', null, say('You have accepted nobody yet. You can add people later.')),
      error,
    ], say('Create the group'), () => create({ title: title.value.trim(), who: [...chosen] })),
  });
  title.focus();
};

const rename = (/** @type {Group} */ group) => {
  const title = h('input.input', { value: group.title, maxlength: 200, dir: 'auto', required: true });
  const error = h('p.error', { role: 'alert' });
  const save = withTitle('group.rename', error, () => sheet.close());
  const sheet = sheetOver({ title: say('Rename the group'), body: form([field(say('Title of the group'), title), error], label.rename(),
    () => save({ group: group.id, title: title.value.trim() })) });
  title.select();
};

const setTopic = (/** @type {Group} */ group) => {
  const topic = h('input.input', { value: group.topic ?? '', maxlength: 200, dir: 'auto' });
  const sheet = sheetOver({ title: say('The topic of the group'), body: form(field(label.topic(), topic, say('Every member can change it. Empty: none.')), say('Set the topic'),
    async () => { if (await ask('group.topic', { group: group.id, topic: topic.value.trim() })) sheet.close(); }) });
  topic.select();
};

const addPeople = (/** @type {Group} */ group) => {
  const members = new Set(group.members.map((one) => one.id));
  const people = accepted().filter((one) => !members.has(one.id));
  /** @type {Set<string>} */
  const chosen = new Set();
  const sheet = sheetOver({
    title: label.addPeople(),
    body: people.length
      ? form(pickPeople(people, chosen, say('Who is to be a member?')), say('Add'), async () => {
        if (!chosen.size) return;
        if (await ask('group.add', { group: group.id, who: [...chosen] })) sheet.close();
      })
      : h('p', null, say('Everybody whom you have accepted is a member already.')),
  });
};

/** @param {Group} group @param {Member} member */
const remove = async (group, member) => {
  const name = personName(member);
  const isSure = await confirmSheet({ title: say('Remove {1} from the group?', name), action: say('Remove'), danger: true,
    text: say('{1} gets no more messages of this group. What is there already stays with them.', name) });
  if (isSure) ask('group.remove', { group: group.id, who: [member.id] });
};

const leave = async (/** @type {Group} */ group) => {
  const others = group.members.filter((one) => !one.me);
  // The daemon refuses the only admin of others: then there is nothing to ask.
  const isRefused = group.isAdmin && others.length > 0 && !others.some((one) => one.admin);
  const isSure = isRefused || await confirmSheet({ title: say('Leave {1}?', plainName(group.title)), action: say('Leave'), danger: true,
    text: say('You get no more messages of this group. Only an admin can add you again. What is here stays.') });
  if (!isSure || !(await ask('group.leave', { group: group.id }))) return;
  toast(say('You have left {1}.', plainName(group.title)));
  readConversations();
};

/** @param {Group} group @param {Member} member */
const memberMenu = (group, member) => (/** @type {{currentTarget: Element}} */ event) => openMenu(event.currentTarget, [
  { label: say('Details of the person'), icon: 'info', run: () => actions.person(member.id) },
  { label: say('Write to them'), icon: 'write', run: () => showConversation(member.id) },
  group.isAdmin && { label: member.admin ? say('Remove as admin') : say('Make an admin'), icon: 'shield',
    run: () => ask('group.admin', { group: group.id, who: [member.id], remove: member.admin || undefined }) },
  group.isAdmin && { label: say('Remove from the group'), icon: 'close', danger: true, run: () => remove(group, member) },
], say('What to do with {1}', plainName(member.displayName)));

const memberWords = (/** @type {Member} */ member) => [
  member.admin && say('admin'),
  !member.me && (member.leftOut ? say('excluded from the workspace')
    : member.asked ? say('has to accept you or another member first') : aboutPerson({ ...member, trust: 'accepted' })),
].filter(Boolean).join(', ');

/** @param {Group} group @param {Member} member */
const memberRow = (group, member) => h('li', null, member.me
  ? h('div.row', null, personCells({ ...member, displayName: state.me.name }, memberWords(member)))
  : h('button.row', { type: 'button', 'aria-haspopup': 'menu', 'data-key': member.id, onclick: memberMenu(group, member) }, personCells(member, memberWords(member)), icon('more')));

/** @param {{group: Group, conversation: import('./preferences.js').Conversation|null}} shown */
const draw = ({ group, conversation }) => {
  const here = group.members.filter((one) => one.connected || one.me).length;
  return [
    h('div.head', null, face(group.title, group.id, { group: true, size: 'large' }),
      h('p.big', { dir: 'auto' }, plainName(group.title)),
      group.topic && h('p', { dir: 'auto' }, plainName(group.topic)),
      h('p.muted', null, say('{1} of {2} here', here, group.members.length))),
    !group.isMember && h('div.notice.calm', null, icon('info'), h('p', { dir: 'auto' }, group.ended
      ? group.ended.by.me ? say('You left this group on {1}.', fullTime(group.ended.time))
        : say('{1} removed you from this group on {2}.', personName(group.ended.by), fullTime(group.ended.time))
      : say('You are not a member of this group.'))),
    group.isMember && h('div.buttons.middle', null,
      group.isAdmin && button(label.addPeople(), () => addPeople(group), { symbol: 'plus', 'data-key': 'add' }),
      group.isAdmin && button(label.rename(), () => rename(group), { symbol: 'edit', 'data-key': 'rename' }),
      button(label.topic(), () => setTopic(group), { symbol: 'write', 'data-key': 'topic' })),
    section(group.members.length === 1 ? say('1 member') : say('{1} members', group.members.length),
      h('ul.rows', null, group.members.map((one) => memberRow(group, one))),
      group.isMember && !group.isAdmin && h('p.help', { dir: 'auto' }, say('Admins: {1}.', peopleNames(group.members.filter((one) => one.admin))))),
    conversation && section(label.conversation(), preferences({ ...conversation, disappear: group.disappear }, { isAdmin: group.isAdmin })),
    group.isMember && h('div.buttons', null, button(say('Leave the group'), () => leave(group), { symbol: 'leave', 'data-key': 'leave' })),
  ];
};

/** Shows the details of a group.
 * @param {string} id */
export const openGroup = async (id) => {
  const body = h('div.stack');
  let end = () => {};
  await openPane(say('Group'), body, () => end());
  const paint = painter(body, draw);
  end = readOn((type, data) => (type === 'group' && data.id === id) || (type === 'preference' && data.conversation === id) || type === 'presence' || type === 'peer',
    async () => {
      const group = await ask('group.show', { group: id });
      if (!group) return;
      await readConversations();
      const members = group.members.map(({ lacks, ...one }) => one);
      paint({ group: { ...group, members }, conversation: settingsOf(state.conversations.get(id)) });
    });
};
