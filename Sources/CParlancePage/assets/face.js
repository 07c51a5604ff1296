// The round face of a person, or the square one of a group: the person's picture, otherwise initials in one of eight
// colours from the ID.

import { fill, h } from './dom.js';
import { plainName } from './names.js';
import { pictureOf, portrait, square } from './portrait.js';
import { subscribe } from './state.js';
import { say } from './words.js';

/** One of eight identity colours, 1 to 8.
 * @param {string} id */
export const colour = (id) => {
  let sum = 7;
  for (const character of id ?? '') sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65521;
  return (sum % 8) + 1;
};

const first = (/** @type {string|undefined} */ word) => (word ? [...new Intl.Segmenter().segment(word)][0].segment : '');

/** "Night watch" is "NW", "Bob" is "B".
 * @param {string} name */
const initials = (name) => {
  const words = name.replace(/[^\p{L}\p{N}\p{Extended_Pictographic}\s]/gu, ' ').trim().split(/\s+/u);
  return (first(words[0]) + (words.length > 1 ? first(words.at(-1)) : '')).toLocaleUpperCase() || '?';
};

/** Shows the picture that the person has now, or the initials.
 * @param {Element} element */
const dress = async (element) => {
  const { who = '', name = '', picture = '' } = element.dataset;
  const now = pictureOf(who) ?? '';
  if (now === picture) return;
  element.dataset.picture = now;
  const kept = now && portrait(who, now);
  const canvas = kept instanceof Promise ? await kept : kept;
  if (element.dataset.picture !== now) return;
  // The next news ask for it again.
  if (canvas === undefined) { element.dataset.picture = ''; return; }
  const isLarge = element.classList.contains('large');
  fill(element, canvas ? square(canvas, isLarge ? 160 : 96) : initials(name));
  // A small one is next to the name; a large one has a label.
  const label = isLarge && canvas ? say('Picture of {1}', plainName(name)) : null;
  const attributes = { 'aria-hidden': label ? null : 'true', role: label ? 'img' : null, 'aria-label': label };
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(key);
    else element.setAttribute(key, value);
  }
};

/**
 * With initials, and a small picture too, it is hidden from screen readers: the name is next to it.
 * @param {string} name
 * @param {string} id of the peer or conversation
 * @param {{presence?: API.PresenceState, group?: boolean, size?: 'small'|'large'}} more
 */
export const face = (name, id, { presence, group, size } = {}) => {
  const element = h('span', {
    class: `face id${colour(id)} ${group ? 'group' : ''} ${size ?? ''} ${presence ? `is-${presence}` : ''}`,
    'aria-hidden': 'true',
    'data-who': group ? null : id,
    'data-name': name ?? '',
  }, initials(name ?? ''));
  if (!group) dress(element);
  return element;
};

for (const topic of /** @type {const} */ (['peers', 'status'])) subscribe(topic, () => document.querySelectorAll('.face[data-who]').forEach(dress));
