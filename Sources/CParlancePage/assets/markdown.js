// A small safe subset of Markdown as nodes: bold, italics, code, code blocks, lists, links that start with their scheme.
// No text is ever hidden: what is not understood stays as written.

import { h } from './dom.js';

const DEPTH = 4;
const INLINE = new RegExp([
  '(?<code>`[^`\\n]+`)',
  '(?<bold>\\*\\*(?=\\S)[^\\n]{1,2000}?(?<=\\S)\\*\\*)',
  '(?<italic>(?<![\\p{L}\\p{N}*_])([*_])(?=[^\\s*_])[^\\n*_]{1,2000}?(?<=\\S)\\4(?![\\p{L}\\p{N}*_]))',
  '(?<link>(?:https?://|mailto:)[^\\s<>"`\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]+)',
].join('|'), 'giu');

/**
 * The nodes of a text.
 * @param {string} text
 * @param {{start: number, length: number}[]} [mentions] where people are mentioned, as the node says: these places are marked
 * @returns {Node[]}
 */
export const markdown = (text, mentions = []) => blocks(text.replace(/\r\n?/g, '\n').split('\n'), marksOf(text, mentions));

/** @typedef {[from: number, to: number]} Mark */

/** The places in the parsed text, where "\r\n" is one character, in order.
 * @param {string} text @param {{start: number, length: number}[]} mentions @returns {Mark[]} */
const marksOf = (text, mentions) => {
  let [at, gone] = [0, 0];
  return mentions.map(({ start, length }) => {
    gone += text.slice(at, start).match(/\r\n/g)?.length ?? 0;
    at = start;
    return [start - gone, start - gone + length];
  });
};

const BULLET = /^ {0,3}[-*•] +(?=\S)/;
const NUMBER = /^ {0,3}(\d{1,4})[.)] +(?=\S)/;

/** @param {string[]} lines @param {Mark[]} marks */
const blocks = (lines, marks) => {
  const nodes = [];
  /** @type {string[]} */
  let paragraph = [];
  // The positions of the paragraph and the line in the text.
  let [begin, at] = [0, 0];
  const flush = () => {
    while (paragraph.at(-1)?.trim() === '') paragraph.pop();
    for (; paragraph[0]?.trim() === ''; paragraph.shift()) begin += paragraph[0].length + 1;
    if (paragraph.length) nodes.push(h('p', { dir: 'auto' }, inline(paragraph.join('\n'), begin, marks)));
    paragraph = [];
  };
  const ends = codeEnds(lines);
  const step = (/** @type {number} */ i) => { at += lines[i].length + 1; };
  for (let i = 0; i < lines.length; i += 1) {
    const end = lines[i].startsWith('```') ? ends[i] : -1;
    const list = BULLET.test(lines[i]) ? BULLET : NUMBER.test(lines[i]) ? NUMBER : null;
    if (end > 0) {
      flush();
      nodes.push(h('pre', { tabindex: 0, dir: 'ltr' }, h('code', null, lines.slice(i + 1, end).join('\n'))));
      for (; i < end; i += 1) step(i);
      step(i);
    } else if (list) {
      flush();
      const start = NUMBER.exec(lines[i])?.[1];
      /** @type {[text: string, place: number][]} */
      const items = [];
      for (; i < lines.length && list.test(lines[i]); i += 1) {
        const item = lines[i].replace(list, '');
        items.push([item, at + lines[i].length - item.length]);
        step(i);
      }
      i -= 1;
      nodes.push(h(start ? 'ol' : 'ul', { dir: 'auto', start: start && start !== '1' ? start : null },
        items.map(([item, place]) => h('li', { dir: 'auto' }, inline(item, place, marks)))));
    } else {
      if (!paragraph.length) begin = at;
      paragraph.push(lines[i]);
      step(i);
    }
  }
  flush();
  return nodes;
};

/** For each line the next one that ends a code block, or -1. In one pass: a text may open thousands of blocks.
 * @param {string[]} lines */
const codeEnds = (lines) => {
  const ends = [];
  for (let i = lines.length - 1, next = -1; i >= 0; i -= 1) {
    ends[i] = next;
    if (lines[i].trimEnd() === '```') next = i;
  }
  return ends;
};

/** The nodes of a part of the text, which begins at a place.
 * @param {string} text @param {number} place @param {Mark[]} marks @returns {(Node|string)[]} */
const inline = (text, place, marks, depth = 0) => {
  const nodes = [];
  let at = 0;
  for (const match of depth < DEPTH ? text.matchAll(INLINE) : []) {
    const { code, bold, italic, link } = match.groups ?? {};
    const whole = link ? trimmed(link) : match[0];
    const start = match.index ?? 0;
    const here = place + start;
    const node = code ? h('code', null, code.slice(1, -1))
      : bold ? h('strong', null, inline(bold.slice(2, -2), here + 2, marks, depth + 1))
        : italic ? h('em', null, inline(italic.slice(1, -1), here + 1, marks, depth + 1))
          : linkTo(whole);
    if (!node) continue;
    nodes.push(...plain(text.slice(at, start), place + at, marks), node);
    at = start + whole.length;
  }
  return [...nodes, ...plain(text.slice(at), place + at, marks)];
};

/** @param {string} text @param {number} place @param {Mark[]} marks */
const plain = (text, place, marks) => {
  if (!text) return [];
  const nodes = [];
  let at = 0;
  for (const [from, to] of marks) {
    if (from < place + at || to > place + text.length) continue;
    nodes.push(text.slice(at, from - place), h('b.mention', null, text.slice(from - place, to - place)));
    at = to - place;
  }
  return [...nodes, text.slice(at)];
};

/** A link without the punctuation of the sentence around it; a closing bracket belongs to it if the link has the opening one.
 * @param {string} link */
const trimmed = (link) => {
  let end = link.length;
  while (end > 0 && (/[.,;:!?'*_~]/.test(link[end - 1]) || (link[end - 1] === ')' && !link.slice(0, end).includes('(')))) end -= 1;
  return link.slice(0, end);
};

const linkTo = (/** @type {string} */ text) => {
  try {
    const { protocol, href } = new URL(text);
    if (!['http:', 'https:', 'mailto:'].includes(protocol)) return null;
    return h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, text);
  } catch {
    return null;
  }
};
