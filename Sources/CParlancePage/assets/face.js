// The round face of a person, or the square one of a group: initials in one of eight colours from the ID.

import { h } from './dom.js';

/** One of eight identity colours, 1 to 8. @param {string} id */
export const colour = (id) => {
  let sum = 7;
  for (const character of id ?? '') sum = (sum * 31 + character.codePointAt(0)) % 65521;
  return (sum % 8) + 1;
};

const first = (word) => (word ? [...new Intl.Segmenter().segment(word)][0].segment : '');

/** "Night watch" is "NW", "Bob" is "B". @param {string} name */
const initials = (name) => {
  const words = name.replace(/[^\p{L}\p{N}\p{Extended_Pictographic}\s]/gu, ' ').trim().split(/\s+/u);
  return (first(words[0]) + (words.length > 1 ? first(words.at(-1)) : '')).toLocaleUpperCase() || '?';
};

/**
 * It is hidden from screen readers: the name stands beside it.
 * @param {string} name
 * @param {string} id of the peer or conversation
 * @param {{presence?: string, group?: boolean, size?: 'small'|'large'}} [more]
 */
export const face = (name, id, { presence, group, size } = {}) =>
  h('span', {
    class: `face id${colour(id)} ${group ? 'group' : ''} ${size ?? ''} ${presence ? `is-${presence}` : ''}`,
    'aria-hidden': 'true',
  }, initials(name ?? ''));
