// The user: name, picture, presence, status text, passphrase and facts about the node; the cards of workspace, files and settings.

import { call, whyNot } from './api.js';
import { fill, h } from './dom.js';
import { face } from './face.js';
import { filesCard } from './disk.js';
import { plainName } from './names.js';
import { ownPicture } from './ownpicture.js';
import { ask, button, card, copyButton, field, form, painter, sheetOver, watch } from './parts.js';
import { readStatus, state } from './state.js';
import { settingsCard } from './settings.js';
import { presenceWord } from './texts.js';
import { goTo, openPage, toast } from './view.js';
import { fullTime, say } from './words.js';
import { workspaceCard } from './workspace.js';
import { label } from './labels.js';

const nameForm = () => {
  const input = h('input.input', { value: state.me.name, maxlength: 64, dir: 'auto', required: true, autocomplete: 'off' });
  return form(field(say('Your name'), input, say('Others see it. It takes effect at once.')), say('Save the name'), async () => {
    const result = await ask('name', { name: input.value.trim() });
    if (!result) return;
    toast(result.configured
      ? say('The configuration sets the name to {1} ({2}), and wins at the next start or reload: change it there.', result.configured.name, result.configured.place)
      : say('Your name is now {1}.', plainName(result.name)));
    readStatus();
  });
};

/** @param {API.OwnPresence} presence */
const presenceForm = ({ state: now, text }) => {
  const input = h('input.input', { value: text ?? '', maxlength: 140, dir: 'auto', autocomplete: 'off' });
  let chosen = now;
  const group = h('fieldset', null, h('legend', null, label.presence()), h('div.segments', null, /** @type {const} */ (['online', 'away', 'busy']).map((one) =>
    h('label', null, h('input', { type: 'radio', name: 'presence', value: one, checked: one === now, onchange: () => { chosen = one; } }),
      h('span', { class: `dot is-${one}`, 'aria-hidden': 'true' }), presenceWord(one)))));
  return form([group, field(say('Status text'), input, say('Such as "in the engine room". Empty: none. While you are busy, nothing notifies you.'))], say('Set presence'), async () => {
    const result = await ask('presence', { state: chosen, text: input.value.trim() });
    if (!result) return;
    toast(say('Others see it now.'));
    readStatus();
  });
};

const password = (/** @type {API.Props<HTMLInputElement>} */ props) =>
  h('input.input', { type: 'password', autocomplete: 'new-password', ...props });

const openPassphrase = (/** @type {boolean} */ isProtected, isRemoval = false) => {
  const current = password({ autocomplete: 'current-password', required: true });
  const first = password({ minlength: 8, required: true });
  const second = password({ required: true });
  const error = h('p.error', { role: 'alert' });
  const sheet = sheetOver({
    title: isRemoval ? say('Remove the passphrase') : say('Set a passphrase'),
    body: form([
      !isRemoval && h('p', null, say('It protects your identity on this disk: parlanced asks for it at each start. Nobody can recover it.')),
      isProtected && field(say('Passphrase now'), current),
      !isRemoval && [field(say('New passphrase'), first, say('At least 8 characters.')), field(say('New passphrase again'), second)],
      error,
    ], isRemoval ? say('Remove it') : say('Set it'), async () => {
      if (!isRemoval && first.value !== second.value) { fill(error, say('The two passphrases differ.')); return; }
      try {
        await call('passphrase', { current: isProtected ? current.value : undefined, new: isRemoval ? undefined : first.value });
        sheet.close();
        toast(isRemoval ? say('Your identity has no passphrase any more.') : say('Your identity is protected with this passphrase. parlanced asks for it at each start.'));
        readStatus();
      } catch (problem) {
        fill(error, whyNot(problem));
      }
    }),
  });
  sheet.body.querySelector('input')?.focus();
};

const passphraseCard = (/** @type {{isProtected: boolean}} */ { isProtected }) => [
  h('p', null, isProtected ? say('Your identity has a passphrase. parlanced asks for it at each start.')
    : say('Your identity has no passphrase: whoever can read this disk can pose as you.')),
  h('div.buttons', null,
    button(isProtected ? say('Change it') : say('Set a passphrase…'), () => openPassphrase(isProtected), { 'data-key': 'set' }),
    isProtected && button(say('Remove it…'), () => openPassphrase(true, true), { 'data-key': 'remove' })),
];

/** @param {Pick<API.NodeStatus, 'version'|'started'|'port'|'dataPath'> & {id: string}} status */
const nodeFacts = (status) => h('dl.facts', null,
  h('dt', null, label.peerID()), h('dd.mono', null, status.id),
  h('dt', null, say('Version')), h('dd', null, status.version),
  h('dt', null, say('Runs since')), h('dd', null, fullTime(status.started)),
  h('dt', null, say('Port')), h('dd', null, String(status.port)),
  h('dt', null, say('Data folder')), h('dd.mono', null, status.dataPath));

const languageName = () => {
  const { lang } = document.documentElement;
  return new Intl.DisplayNames([lang], { type: 'language' }).of(lang) ?? lang;
};

/** The page about yourself and this node. */
export const openMe = () => {
  // Until the daemon has answered once nothing can be shown; after that the address opens this page.
  if (!state.status) return;
  const head = h('div.row.me-head');
  const guard = h('div.form');
  const node = h('div.form');
  /** @typedef {{me: typeof state.me, presence: API.PresenceState, words: string}} Head */
  const paintHead = painter(head, (/** @type {Head} */ { me, presence, words }) => [
    face(me.name, me.id, { presence, size: 'large' }),
    h('span.cut', null, h('span.big.cut', { dir: 'auto' }, plainName(me.name)), h('span.muted.cut', { dir: 'auto' }, words)),
  ]);
  const picture = ownPicture();
  const paintGuard = painter(guard, passphraseCard);
  const paintNode = painter(node, (/** @type {Parameters<typeof nodeFacts>[0]} */ status) => [nodeFacts(status), h('div.buttons', null,
    copyButton(status.id, say('Copy your ID'), { 'data-key': 'copy' }),
    button(label.doctor(), () => goTo('#/doctor'), { symbol: 'shield', 'data-key': 'doctor' }))]);
  const draw = () => {
    const { status, me } = state;
    if (!status) return;
    const presence = status.presence.away ? 'away' : status.presence.state;
    const away = status.presence.away && (status.presence.away.reason === 'locked'
      ? say('seen as away: the screen has been locked since {1}', fullTime(status.presence.away.since)) : say('seen as away: no input since {1}', fullTime(status.presence.away.since)));
    paintHead({ me, presence, words: away || [presenceWord(presence), status.presence.text].filter(Boolean).join(': ') });
    picture.paint({ isThere: Boolean(status.picture) });
    paintGuard({ isProtected: status.protected });
    paintNode({ id: status.peerID, version: status.version, started: status.started, port: status.port, dataPath: status.dataPath });
  };
  /** @type {(() => void)[]} */
  const ends = [];
  const leave = (/** @type {() => void} */ end) => ends.push(end);
  openPage(label.you(), h('div.stack.narrow', null,
    head,
    card(label.name(), nameForm()),
    card(say('Picture'), picture.element),
    card(say('Presence and status'), presenceForm(state.status.presence)),
    workspaceCard(leave),
    card(say('Passphrase'), guard),
    filesCard(leave),
    settingsCard(leave),
    card(say('Language'), h('p', null, say('The page speaks the language of your browser: {1}. To change it, change the languages of the browser.', languageName()))),
    card(say('This node'), node)), { onLeave: () => ends.forEach((end) => end()) });
  leave(watch(['status'], draw));
};
