// Completion in the message field: "@Bo" offers people, ":hea" offers emoji.

import { fill, h } from './dom.js';
import { findEmoji } from './emoji.js';
import { face } from './face.js';
import { plainName } from './names.js';
import { say } from './words.js';

/**
 * @param {HTMLTextAreaElement} field
 * @param {() => {id: string, displayName: string, all?: boolean}[]} people who can be mentioned
 * @returns {{element: HTMLElement, update: () => void, key: (event: KeyboardEvent) => boolean, close: () => void}}
 */
export const makeCompletion = (field, people) => {
  const list = h('ul.completion', { role: 'listbox', id: 'completion', 'aria-label': say('Suggestions'), hidden: true });
  /** @type {{text: string, node: API.Child}[]} */
  let offers = [];
  let at = 0;
  let from = 0;

  const close = () => {
    offers = [];
    list.hidden = true;
    field.removeAttribute('aria-activedescendant');
    field.removeAttribute('aria-controls');
  };

  const update = () => {
    const before = field.value.slice(0, field.selectionStart);
    const word = field.selectionStart !== field.selectionEnd ? null : /(^|[\s([{"'])([@:])([^\s@:]{0,30}(?: [^\s@:]{0,20})?)$/u.exec(before);
    offers = word ? (word[2] === '@' ? peopleFor(word[3]) : emojiFor(word[3])) : [];
    if (!word || !offers.length) return close();
    from = before.length - word[3].length - 1;
    at = 0;
    draw();
  };

  const peopleFor = (/** @type {string} */ typed) => {
    const start = typed.toLocaleLowerCase();
    return people()
      .filter((one) => plainName(one.displayName).toLocaleLowerCase().split(/\s+/).some((_, i, all) => all.slice(i).join(' ').startsWith(start)))
      .slice(0, 8)
      .map((one) => ({ text: `@${one.displayName}`, node: [one.all ? null : face(one.displayName, one.id, { size: 'small' }), h('span', { dir: 'auto' }, `@${plainName(one.displayName)}`), one.all && h('small.muted', null, say('everybody in the group'))] }));
  };

  const emojiFor = (/** @type {string} */ typed) => (/^[\w+-]{2,}$/.test(typed)
    ? findEmoji(typed).map(([name, emoji]) => ({ text: emoji, node: [h('span.emoji', null, emoji), `:${name}:`] })) : []);

  const draw = () => {
    fill(list, offers.map((offer, i) => h('li', {
      role: 'option', id: `offer-${i}`, 'aria-selected': String(i === at),
      onpointerdown: (event) => { event.preventDefault(); take(i); },
    }, offer.node)));
    list.hidden = false;
    field.setAttribute('aria-controls', 'completion');
    field.setAttribute('aria-activedescendant', `offer-${at}`);
    list.children[at]?.scrollIntoView({ block: 'nearest' });
  };

  const take = (/** @type {number} */ i) => {
    const end = field.selectionStart;
    field.setRangeText(`${offers[i].text} `, from, end, 'end');
    close();
    field.dispatchEvent(new Event('input'));
  };

  /** Returns whether the suggestions handled the key.
   * @param {KeyboardEvent} event */
  const key = (event) => {
    if (!offers.length) {
      // A whole ":heart:" becomes the emoji.
      return false;
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      at = (at + (event.key === 'ArrowDown' ? 1 : offers.length - 1)) % offers.length;
      draw();
    } else if (event.key === 'Enter' || event.key === 'Tab') take(at);
    else if (event.key === 'Escape') close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  return { element: list, update, key, close };
};
