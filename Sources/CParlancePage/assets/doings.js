// The actions on a message: answer, react, copy, edit, delete, see where it has been.

import { call } from './api.js';
import { fill, h } from './dom.js';
import { findEmoji, USUAL } from './emoji.js';
import { closeMenu, openMenu, openPopup } from './menu.js';
import { complain, confirmSheet, toast } from './view.js';
import { actions } from './views.js';
import { say } from './words.js';

/**
 * @param {object} options
 * @param {() => import('./composer.js').Composer|null} options.composer
 * @param {() => boolean} options.canWrite
 * @param {() => boolean} options.isAdmin
 * @param {(id: string) => void} options.jump
 * @returns {import('./message.js').Doings & {key: (key: string, message: API.MessageInfo, row: Element) => boolean}}
 */
export const makeActions = ({ composer, canWrite, isAdmin, jump }) => {
  const react = (/** @type {string} */ id, /** @type {string} */ emoji, /** @type {boolean} */ remove) => call('react', remove ? { id, emoji, remove } : { id, emoji }).catch(complain);

  const canChange = (/** @type {API.MessageInfo} */ message) => canWrite() && !message.deleted && !message.note && !message.waits;
  const canEdit = (/** @type {API.MessageInfo} */ message) => canChange(message) && message.mine && message.status !== 'failed';
  const canDelete = (/** @type {API.MessageInfo} */ message) => canChange(message) && (message.mine || isAdmin());

  const copy = (/** @type {API.MessageInfo} */ message) => navigator.clipboard.writeText(message.text)
    .then(() => toast(say('Copied.')), () => toast(say('The browser did not let the page copy this.')));

  const remove = async (/** @type {API.MessageInfo} */ message) => {
    const isSure = await confirmSheet({
      title: say('Delete this message?'),
      text: say('It is deleted here, and on the computers of the others as soon as they hear of it.'),
      action: say('Delete'), danger: true,
    });
    if (isSure) call('delete', { id: message.id }).catch(complain);
  };

  /** @type {ReturnType<typeof makeActions>} */
  const doings = {
    reply: (message) => composer()?.reply(message),
    react: (message, anchor) => pick(anchor, (emoji) => react(message.id, emoji)),
    toggle: (message, emoji, isMine) => react(message.id, emoji, isMine),
    life: (message) => actions.life(message.id),
    jump,
    more: (message, anchor) => openMenu(anchor, [
      canChange(message) && { label: say('Answer'), icon: 'reply', run: () => doings.reply(message) },
      canChange(message) && { label: say('React'), icon: 'smile', run: () => doings.react(message, anchor) },
      message.text && { label: say('Copy the text'), icon: 'copy', run: () => copy(message) },
      canEdit(message) && { label: say('Edit'), icon: 'edit', run: () => composer()?.edit(message) },
      { label: say('Details'), icon: 'info', run: () => doings.life(message) },
      canDelete(message) && { label: say('Delete'), icon: 'trash', danger: true, run: () => remove(message) },
    ], say('Message')),
    key: (key, message, row) => {
      if (key === 'Enter' || key === 'i') doings.life(message);
      else if (key === 'r' && canChange(message)) doings.reply(message);
      else if (key === 'e' && canEdit(message)) composer()?.edit(message);
      else if ((key === 'd' || key === 'Delete') && canDelete(message)) remove(message);
      else if (key === '+' && canChange(message)) doings.react(message, row.querySelector('[data-key=react]') ?? row);
      else if (key === 'm' || key === 'ContextMenu') doings.more(message, row.querySelector('[data-key=more]') ?? row);
      else return false;
      return true;
    },
  };
  return doings;
};

/** A few emoji, with a field that finds others by name.
 * @param {Element} anchor @param {(emoji: string) => void} chosen */
const pick = (anchor, chosen) => {
  const choose = (/** @type {string} */ emoji) => { closeMenu(); chosen(emoji); };
  const button = (/** @type {[name: string, emoji: string]} */ [name, emoji]) =>
    h('button', { type: 'button', 'aria-label': name, title: name, onclick: () => choose(emoji) }, emoji);
  const usual = () => USUAL.map((emoji) => button([emoji, emoji]));
  const row = h('div.emoji-row', null, usual());
  const field = h('input.input', {
    'aria-label': say('Find an emoji by its name'), placeholder: say('Find an emoji by its name'), autocomplete: 'off',
    oninput: () => { fill(row, field.value.trim() ? findEmoji(field.value.trim(), 12).map(button) : usual()); },
    onkeydown: (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      const typed = field.value.trim();
      const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(typed) ? typed : findEmoji(typed, 1)[0]?.[1];
      if (typed && emoji) choose(emoji);
    },
  });
  openPopup(anchor, h('div.menu.picker', { role: 'dialog', 'aria-label': say('React with an emoji') }, row, field));
  row.querySelector('button')?.focus();
};
