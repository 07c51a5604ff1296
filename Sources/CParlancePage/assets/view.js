// The areas of the page: the main area, the pane of details, sheets, confirmations and short notices.

import { whyNot } from './api.js';
import { byID, fill, h, iconButton } from './dom.js';
import { say } from './words.js';

const narrow = matchMedia('(max-width: 44rem)');
/** @typedef {{close: () => void, body: HTMLElement, dialog?: HTMLDialogElement}} Pane */

/** @type {(() => void)|null} */
let leaveMain = null;
/** @type {Pane|null} */
let details = null;
let headings = 0;

/**
 * Shows something in the main area, replacing its content.
 * @param {API.Child[]} nodes
 * @param {() => void} [onLeave] called when something else takes the place
 */
export const showMain = (nodes, onLeave) => {
  const leave = leaveMain;
  leaveMain = onLeave ?? null;
  leave?.();
  closeDetails();
  fill(byID('main'), nodes);
};

/**
 * Shows a whole page in the main area, with a title and a way back (for views that need room: network, settings).
 * @param {string} title
 * @param {API.Child} body
 * @param {{onLeave?: () => void, tools?: API.Child[]}} more
 */
export const openPage = (title, body, { onLeave, tools = [] } = {}) => {
  const heading = h('h1', { tabindex: -1 }, title);
  const back = iconButton('back', say('Back to the conversations'), goHome, { class: 'back' });
  showMain([h('header.bar', null, back, heading, h('div.tools', null, tools)), h('div.page', { tabindex: 0, role: 'group', 'aria-label': title }, body)], onLeave);
  heading.focus();
};

/**
 * Shows what an address of the page names, at once: the keys pressed next reach it.
 * @param {string} hash
 */
export const goTo = (hash) => {
  if (location.hash !== hash) history.pushState(null, '', hash);
  dispatchEvent(new HashChangeEvent('hashchange'));
};

/** Goes to the list (in a narrow window), or shows nothing in the main area. */
export const goHome = () => goTo('#/');

/**
 * Shows a conversation, and a message of it.
 * @param {string} id of the conversation
 * @param {{message?: string}} more
 */
export const showConversation = (id, { message } = {}) => goTo(message ? `#/c/${id}/${message}` : `#/c/${id}`);

/**
 * Opens a sheet over the page. Escape, the cross and a click outside it close it; the focus goes back to where it was.
 * @param {object} options
 * @param {string} options.title
 * @param {API.Child} options.body
 * @param {API.Child[]} [options.buttons] at the bottom
 * @param {() => void} [options.onClose]
 * @param {boolean} [options.wide]
 * @returns {{close: () => void, dialog: HTMLDialogElement, body: HTMLElement, setTitle: (title: string) => void}}
 */
export const openSheet = ({ title, body, buttons, onClose, wide }) => {
  const id = `sheet-${(headings += 1)}`;
  const heading = h('h2', { id }, title);
  const content = h('div.sheet-body', null, body);
  const dialog = h('dialog.sheet', { 'aria-labelledby': id, class: wide ? 'wide' : '' },
    h('div.sheet-head', null, heading, iconButton('close', say('Close'), () => { dialog.close(); })),
    content,
    buttons?.length ? h('div.sheet-foot', null, buttons) : null);
  const before = document.activeElement;
  let downOutside = false;
  dialog.addEventListener('pointerdown', (event) => { downOutside = event.target === dialog; });
  dialog.addEventListener('click', (event) => { if (event.target === dialog && downOutside) dialog.close(); });
  dialog.addEventListener('close', () => {
    const notice = dialog.querySelector('#toast');
    if (notice) document.body.append(notice);
    dialog.remove();
    if (before?.isConnected) before.focus();
    onClose?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return { close: () => dialog.close(), dialog, body: content, setTitle: (text) => fill(heading, text) };
};

/**
 * Opens the pane at the right, or a sheet in a narrow window. It closes when another conversation or page is shown.
 * @param {string} title
 * @param {API.Child} body
 * @param {{onClose?: () => void}} more
 * @returns {Pane}
 */
export const openDetails = (title, body, { onClose } = {}) => {
  closeDetails();
  if (narrow.matches) {
    const sheet = openSheet({ title, body, onClose: () => { if (details === sheet) details = null; onClose?.(); } });
    details = sheet;
    return sheet;
  }
  const before = document.activeElement;
  const pane = byID('details');
  const heading = h('h2', { tabindex: -1 }, title);
  const content = h('div.details-body', null, body);
  /** @type {Pane} */
  const own = {
    body: content,
    close: () => {
      if (details !== own) return;
      details = null;
      const hadFocus = pane.contains(document.activeElement);
      pane.hidden = true;
      pane.replaceChildren();
      if (hadFocus && before?.isConnected) before.focus();
      onClose?.();
    },
  };
  details = own;
  pane.setAttribute('aria-label', title);
  fill(pane, h('div.details-head', null, heading, iconButton('close', say('Close the details'), own.close)), content);
  pane.onkeydown = (event) => { if (event.key === 'Escape' && !event.defaultPrevented) own.close(); };
  pane.hidden = false;
  heading.focus();
  return own;
};

/** Closes the pane of details, if it is open. */
export const closeDetails = () => details?.close();

/**
 * Asks for a confirmation.
 * @param {{title: string, text: API.Child, action: string, danger?: boolean}} options
 * @returns {Promise<boolean>}
 */
export const confirmSheet = ({ title, text, action, danger }) =>
  new Promise((resolve) => {
    let isSure = false;
    const sheet = openSheet({
      title,
      body: h('p', { dir: 'auto' }, text),
      onClose: () => resolve(isSure),
      buttons: [
        h('button.button', { type: 'button', onclick: () => sheet.close() }, say('Cancel')),
        h('button.button', {
          type: 'button',
          class: danger ? 'danger' : 'primary',
          onclick: () => { isSure = true; sheet.close(); },
        }, action),
      ],
    });
  });

/** @type {number|undefined} */
let noticeTimer;

/**
 * Shows a short notice for some seconds, and has it read out.
 * @param {string} text a fact; how long it stays depends on its length
 */
export const toast = (text) => {
  const place = byID('toast');
  // A modal dialog hides everything outside it, so the notice moves into the topmost one.
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  if (place.parentNode !== top) top.append(place);
  fill(place, h('div.toast', { dir: 'auto' }, text));
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { place.replaceChildren(); document.body.append(place); }, 4000 + text.length * 40);
};

/** Shows why a request was refused.
 * @param {unknown} error that was caught */
export const complain = (error) => toast(whyNot(error));
