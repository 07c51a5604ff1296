// The workspace: creating, joining, its code, its people, a new key, leaving.

import { call, whyNot } from './api.js';
import { fill, h } from './dom.js';
import { peopleNames, personName, plainName } from './names.js';
import { accepted, ask, button, card, copyButton, field, form, painter, pickPeople, readOn, sheetOver } from './parts.js';
import { readStatus } from './state.js';
import { confirmSheet, toast } from './view.js';
import { fullTime, number, say, when } from './words.js';

/**
 * A sheet with a form, which shows why a request was refused.
 * @template {'workspace.create'|'workspace.join'|'workspace.rotate'} M
 * @param {object} options
 * @param {string} options.title
 * @param {API.Child} options.fields
 * @param {string} options.action
 * @param {M} options.method
 * @param {() => API.Methods[M]['params']} options.params from the fields
 * @param {() => void} options.done
 * @param {() => boolean|Promise<boolean>} [options.isSure] asks before the method is called
 */
const formSheet = ({ title, fields, action, method, params, done, isSure }) => {
  const error = h('p.error', { role: 'alert' });
  const sheet = sheetOver({ title, body: form([fields, error], action, async () => {
    if (isSure && !(await isSure())) return;
    try {
      await call(method, params());
      sheet.close();
      done();
      readStatus();
    } catch (problem) {
      fill(error, whyNot(problem));
    }
  }) });
  sheet.body.querySelector('input')?.focus();
};

const input = (/** @type {API.Props<HTMLInputElement>} */ props) =>
  h('input.input', { required: true, autocomplete: 'off', dir: 'auto', ...props });

const create = (/** @type {() => void} */ read) => {
  const name = input({ maxlength: 64 });
  formSheet({ title: say('Create a workspace'), fields: field(say('Name of the workspace'), name), action: say('Create'), method: 'workspace.create',
    params: () => ({ name: name.value.trim() }), done: () => { read(); toast(say('The workspace is created. Give its code to those who are to join.')); } });
};

const joinByCode = (/** @type {() => void} */ read) => {
  const code = input({ dir: 'ltr', spellcheck: 'false' });
  const name = input({ required: false, maxlength: 64 });
  formSheet({ title: say('Join a workspace'), fields: [
    field(say('Invitation code'), code, say('7, 9 or 12 groups of characters, from a member.')),
    field(say('What you call it (may be empty)'), name),
  ], action: say('Join'), method: 'workspace.join', params: () => ({ code: code.value.trim(), name: name.value.trim() || undefined }), done: () => read() });
};

const joinByPassphrase = (/** @type {() => void} */ read) => {
  const name = input({ maxlength: 64 });
  const passphrase = input({ type: 'password' });
  formSheet({ title: say('Join by name and passphrase'), fields: [
    field(say('Name that all members use'), name), field(say('Passphrase of the workspace'), passphrase, say('Everybody who knows both gets in.')),
  ], action: say('Join by passphrase'), method: 'workspace.join', params: () => ({ name: name.value.trim(), passphrase: passphrase.value }), done: () => read() });
};

/** All names: show everybody who is let in or excluded.
 * @param {(API.Person|API.PeerInfo)[]} people */
const allNames = (people) => people.map(personName).join(', ');

/** @param {API.PeerInfo[]} people @param {boolean} hasAdmins */
const confirmExclusion = (people, hasAdmins) => confirmSheet({ danger: true,
  title: say('Exclude from the workspace: {1}?', allNames(people)),
  action: say('Exclude'),
  text: hasAdmins
    ? say('Members end their links with them, until an admin readmits them. They keep what they have read. All codes and invitations from before end.')
    : say('Members end their links with them. That cannot be undone: only a new workspace lets them in again.') });

/** Lets admins admit members; of the present members, those stay whom the user has seen.
 * @param {() => void} read */
const approve = async (read) => {
  // The page may be some seconds old.
  const answer = await ask('workspace.show');
  if (!answer?.workspace) return;
  const members = answer.workspace.members ?? [];
  const isSure = await confirmSheet({ title: say('Let each new member in yourself?'), action: say('Let members in myself'),
    text: members.length
      ? say('After this the code is not enough: an admin has to let each new person in. These people would stay members ({1}): {2}. Everybody else would wait for an admin.', number(members.length), allNames(members))
      : say('After this the code is not enough: an admin has to let each new person in. This computer knows no other member yet, so everybody else would wait for an admin.') });
  const done = isSure && await ask('workspace.policy', { name: 'admission', value: 'approve', who: members.map(({ id }) => id) });
  if (!done) return;
  if (done.passedOver) toast(say('They came or went after you were asked, and wait now: {1}', allNames(done.passedOver)));
  read();
};

const openToAll = async (/** @type {() => void} */ read) => {
  const isSure = await confirmSheet({ title: say('Let everybody in who has the code?'), action: say('Let them in'), danger: true,
    text: say('Whoever has the code is a member from now on, and no admin is asked. That goes for those who wait, too.') });
  if (isSure && await ask('workspace.policy', { name: 'admission', value: 'open' })) read();
};

/** @param {() => void} read @param {boolean} hasAdmins */
const rotate = (read, hasAdmins) => {
  /** @type {Set<string>} */
  const chosen = new Set();
  const people = accepted();
  formSheet({ title: say('A new key'), fields: [
    h('p', null, hasAdmins
      ? say('Members get the new key by themselves as they connect. Those whom you exclude do not, and are told that you excluded them.')
      : say('Members get the new key by themselves as they connect. Those whom you exclude do not, and nobody can let them in again.')),
    people.length > 0 && pickPeople(people, chosen, say('Exclude')),
  ], action: say('Make the new key'), isSure: () => chosen.size === 0 || confirmExclusion(people.filter(({ id }) => chosen.has(id)), hasAdmins), method: 'workspace.rotate', params: () => ({ without: chosen.size ? [...chosen] : undefined }), done: () => { read(); toast(say('The workspace has a new key and a new code.')); } });
};

/** @param {API.WorkspaceInfo} workspace @param {() => void} read */
const leave = async (workspace, read) => {
  const name = plainName(workspace.name);
  const isOnlyAdmin = workspace.charter?.isAdmin && workspace.charter.admins.length === 1;
  const isSure = await confirmSheet({ title: say('Leave the workspace {1}?', name), action: say('Leave it'), danger: true,
    text: isOnlyAdmin
      ? say('You are its only admin. When you have left it, nobody can exclude people, let them in or change the key, until you come back with its code. Make another admin first.')
      : say('Its members and this node no longer reach each other. To come back you need its code.') });
  if (!isSure || !(await ask('workspace.leave'))) return;
  toast(say('You have left the workspace. Its members and this node no longer reach each other.'));
  read();
  readStatus();
};

const none = (/** @type {() => void} */ read) => [
  h('p', null, say('This node is in no workspace: everybody on the network can link to it and ask to talk.')),
  h('div.buttons', null,
    button(say('Create a workspace…'), () => create(read), { 'data-key': 'create' }),
    button(say('Join by a code…'), () => joinByCode(read), { 'data-key': 'join' }),
    button(say('Join by a passphrase…'), () => joinByPassphrase(read), { 'data-key': 'pass' })),
];

const changes = (/** @type {number} */ count) => (count === 2 ? say('Its key was changed once.') : count > 2 ? say('Its key was changed {1} times.', number(count - 1)) : null);

/** Somebody who waits for an admin; an admin can let them in.
 * @param {API.Person} person @param {API.CharterInfo} charter @param {() => void} read */
const waiting = (person, charter, read) => h('li', { dir: 'auto', 'data-key': person.id }, personName(person), ' ',
  charter.isAdmin && button(say('Let in'), async () => {
    if (await ask('workspace.change', { change: 'admit', who: [person.id] })) read();
  }, { 'aria-label': say('Let {1} in', personName(person)) }));

/** Why an invitation no longer lets anybody in.
 * @param {API.InvitationInfo} invitation */
const ended = ({ ended: why, left, uses, author }) => {
  const facts = [number(left), number(uses), personName(author)];
  switch (why) {
    case 'exclusion': return say('{1} of {2} left ({3}): somebody was excluded after it was made', ...facts);
    case 'usedUp': return say('{1} of {2} left ({3}): others who come with it wait until an admin lets them in', ...facts);
    case 'expired': return say('{1} of {2} left ({3}): it has expired, and people who come with it wait until an admin lets them in', ...facts);
    default: return say('{1} of {2} left ({3}): the workspace has had another key for a day', ...facts);
  }
};

/** The texts for somebody who waits for an admin.
 * @param {API.CharterInfo} charter */
const waits = (charter) => [
  charter.ownInvitation !== 'admits' && h('p', null, say('An admin has to let you in. They see that you wait.')),
  charter.ownInvitationText && h('p', null, charter.ownInvitationText),
];

/** The decisions of the admins, as facts.
 * @param {API.CharterInfo} charter @param {() => void} read */
const decided = (charter, read) => [
  charter.excludedBy && h('p.error', { dir: 'auto' }, say('{1} has excluded you from this workspace.', personName(charter.excludedBy))),
  !charter.isMember && !charter.excludedBy && waits(charter),
  h('dl.facts', null,
    h('dt', null, say('Admins')), h('dd', { dir: 'auto' }, charter.admins.length ? peopleNames(charter.admins) : say('No member has told yet.')),
    charter.admission === 'approve' && [h('dt', null, say('Who joins')), h('dd', null, say('An admin lets each new member in.'))],
    charter.waiting.length > 0 && [h('dt', null, say('Waiting to be let in')), h('dd', null, h('ul', null, charter.waiting.map((person) => waiting(person, charter, read))))],
    charter.invitations.length > 0 && [h('dt', null, say('Invitations')), h('dd', null, h('ul', null, charter.invitations.map((one) =>
      h('li', { dir: 'auto' }, say('{1} of {2} left, until {3} ({4})', number(one.left), number(one.uses), fullTime(one.until), personName(one.author))))))],
    charter.endedInvitations && [h('dt', null, say('Invitations that have ended')), h('dd', null, h('ul', null, charter.endedInvitations.map((one) =>
      h('li', { dir: 'auto' }, ended(one)))))],
    charter.policies.filter(({ name }) => name !== 'admission').map(({ name, value, author, time }) =>
      [h('dt', { dir: 'auto' }, plainName(name)), h('dd', { dir: 'auto' }, say('{1}, suggested by {2}, {3}', plainName(value), personName(author), when(time)))])),
];

/** @param {API.WorkspaceInfo} workspace @param {() => void} read */
const inside = (workspace, read) => [
  h('p', { dir: 'auto' }, say('This node is in the workspace {1}.', plainName(workspace.name)), ' ', changes(workspace.number)),
  h('dl.facts', null,
    h('dt', null, say('Connected now')), h('dd', { dir: 'auto' }, peopleNames(workspace.connected)),
    workspace.removed.length > 0 && [h('dt', null, say('Excluded')), h('dd', { dir: 'auto' }, peopleNames(workspace.removed))]),
  workspace.charter && decided(workspace.charter, read),
  !workspace.charter?.excludedBy && h('details', { 'data-key': 'code' }, h('summary', null, say('Invitation code of this workspace')),
    h('p.help', null, say('Whoever has it gets in: keep it secret.')), h('p.mono', null, workspace.code), copyButton(workspace.code, say('Copy the code'), { 'data-key': 'copy' })),
  h('div.buttons', null,
    workspace.charter?.isAdmin && (workspace.charter.admission === 'open'
      ? button(say('Let members in yourself…'), () => approve(read), { 'data-key': 'approve' })
      : button(say('Let everybody in who has the code…'), () => openToAll(read), { 'data-key': 'open' })),
    (!workspace.charter || workspace.charter.isAdmin) && button(say('New key…'), () => rotate(read, Boolean(workspace.charter)), { 'data-key': 'rotate' }),
    button(say('Leave the workspace…'), () => leave(workspace, read), { 'data-key': 'leave' })),
];

/** The card of the workspace.
 * @param {(end: () => void) => void} leaving gets what ends it */
export const workspaceCard = (leaving) => {
  const place = h('div.form');
  const paint = painter(place, (/** @type {API.WorkspaceReply} */ { workspace }) => (workspace ? inside(workspace, read) : none(read)));
  const read = async () => {
    const answer = await ask('workspace.show');
    if (answer) paint(answer);
  };
  leaving(readOn(['peer', 'workspace'], read, 2000));
  return card(say('Workspace'), place);
};
