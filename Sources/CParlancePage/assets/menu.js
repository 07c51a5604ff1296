// A menu next to a button, with the usual keys of menus: arrows, Home, End, a first letter, Escape.

import { h, icon } from './dom.js';

/** @typedef {{label: string, icon?: import('./dom.js').Icon, run: () => void, danger?: boolean}} Item */

/** @type {{anchor: Element, close: () => void}|null} */
let shown = null;

/** Closes the menu that is open. */
export const closeMenu = () => shown?.close();

/**
 * Opens a menu.
 * @param {Element} anchor the button next to the menu, which gets the focus back
 * @param {(Item|''|false)[]} items what is false or '' is left out
 * @param {string} label of the menu, for screen readers
 */
export const openMenu = (anchor, items, label) => {
  const wasOpen = shown?.anchor === anchor;
  closeMenu();
  if (wasOpen) return;
  const buttons = items.flatMap((item) => (item ? [h('button', {
    type: 'button', role: 'menuitem', tabindex: -1, class: item.danger ? 'danger' : '',
    onclick: () => { close(); item.run(); },
  }, item.icon ? icon(item.icon) : null, item.label)] : []));
  const close = openPopup(anchor, h('div.menu', { role: 'menu', 'aria-label': label, onkeydown: (event) => move(event, buttons) }, buttons));
  buttons[0]?.focus();
};

/**
 * Shows an element in the top layer next to an anchor until Escape, Tab, a click elsewhere or closeMenu().
 * @param {Element} anchor
 * @param {HTMLElement} element
 * @returns {() => void} closes it
 */
export const openPopup = (anchor, element) => {
  closeMenu();
  const own = {
    anchor,
    close: () => {
      if (shown !== own) return;
      shown = null;
      const hadFocus = element.contains(document.activeElement);
      removeEventListener('pointerdown', outside, true);
      removeEventListener('resize', own.close);
      anchor.setAttribute('aria-expanded', 'false');
      element.remove();
      if (hadFocus && anchor.isConnected) anchor.focus();
    },
  };
  const outside = (/** @type {Event} */ { target }) => {
    if (!(target instanceof Node) || !(element.contains(target) || anchor.contains(target))) own.close();
  };
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' && event.key !== 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    own.close();
  });
  shown = own;
  element.setAttribute('popover', 'manual');
  (anchor.closest('dialog, main, nav, aside') ?? document.body).append(element);
  element.showPopover?.();
  anchor.setAttribute('aria-expanded', 'true');
  place(element, anchor.getBoundingClientRect());
  addEventListener('pointerdown', outside, true);
  addEventListener('resize', own.close);
  return own.close;
};

/** Below the anchor if there is room, else above; within the window.
 * @param {HTMLElement} element @param {DOMRect} at */
const place = (element, at) => {
  const { width, height } = element.getBoundingClientRect();
  const isRight = at.left + at.width / 2 > innerWidth / 2;
  const left = Math.max(8, Math.min(isRight ? at.right - width : at.left, innerWidth - width - 8));
  const below = at.bottom + 4;
  const top = below + height < innerHeight - 8 ? below : Math.max(8, at.top - height - 4);
  element.style.setProperty('left', `${left}px`);
  element.style.setProperty('top', `${top}px`);
};

/** @param {KeyboardEvent} event @param {HTMLElement[]} buttons */
const move = (event, buttons) => {
  const at = buttons.findIndex((one) => one === document.activeElement);
  const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && event.key.toLowerCase();
  const found = letter ? buttons.findIndex((one, i) => i > at && one.textContent?.trim().toLowerCase().startsWith(letter)) : -1;
  /** @type {Record<string, number|undefined>} */
  const places = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const to = places[event.key] ?? (found >= 0 ? found : undefined);
  if (to === undefined) return;
  event.preventDefault();
  buttons.at(to % buttons.length)?.focus();
};
