// A small safe subset of Markdown as nodes: bold, italics, code, code blocks, lists, links that start with their scheme.
// A text is never hidden: what is not understood stays as it was written.

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
 * @param {string[]} [names] of people who are mentioned: "@Bob" stands out
 * @returns {Node[]}
 */
export const markdown = (text, names = []) => blocks(text.replace(/\r\n?/g, '\n').split('\n'), mentionsOf(names));

const mentionsOf = (names) => {
  const parts = names.filter(Boolean).sort((a, b) => b.length - a.length).map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  // Not within an address, nor as the beginning of a longer word; the node decides who is mentioned ("Mentions" in events.md).
  return parts.length ? new RegExp(`(?<![\\p{Lu}\\p{Ll}\\p{N}][.\\-_+%]*)@(?:${parts.join('|')})(?![\\p{Lu}\\p{Ll}\\p{N}]|[.\\-_][\\p{Lu}\\p{Ll}\\p{N}])`, 'giu') : null;
};

const BULLET = /^ {0,3}[-*•] +(?=\S)/;
const NUMBER = /^ {0,3}(\d{1,4})[.)] +(?=\S)/;

const blocks = (lines, mentions) => {
  const nodes = [];
  let paragraph = [];
  const flush = () => {
    while (paragraph.length && !paragraph.at(-1).trim()) paragraph.pop();
    while (paragraph.length && !paragraph[0].trim()) paragraph.shift();
    if (paragraph.length) nodes.push(h('p', { dir: 'auto' }, inline(paragraph.join('\n'), mentions)));
    paragraph = [];
  };
  const ends = codeEnds(lines);
  for (let i = 0; i < lines.length; i += 1) {
    const end = lines[i].startsWith('```') ? ends[i] : -1;
    const list = BULLET.test(lines[i]) ? BULLET : NUMBER.test(lines[i]) ? NUMBER : null;
    if (end > 0) {
      flush();
      nodes.push(h('pre', { tabindex: 0, dir: 'ltr' }, h('code', null, lines.slice(i + 1, end).join('\n'))));
      i = end;
    } else if (list) {
      flush();
      const start = NUMBER.exec(lines[i])?.[1];
      const items = [];
      for (; i < lines.length && list.test(lines[i]); i += 1) items.push(lines[i].replace(list, ''));
      i -= 1;
      nodes.push(h(start ? 'ol' : 'ul', { dir: 'auto', start: start && start !== '1' ? start : null },
        items.map((item) => h('li', { dir: 'auto' }, inline(item, mentions)))));
    } else paragraph.push(lines[i]);
  }
  flush();
  return nodes;
};

/** For each line the next one that ends a block of code, or -1. One pass: a text may have thousands of beginnings. */
const codeEnds = (lines) => {
  const ends = [];
  for (let i = lines.length - 1, next = -1; i >= 0; i -= 1) {
    ends[i] = next;
    if (lines[i].trimEnd() === '```') next = i;
  }
  return ends;
};

const inline = (text, mentions, depth = 0) => {
  const nodes = [];
  let at = 0;
  for (const match of depth < DEPTH ? text.matchAll(INLINE) : []) {
    const { code, bold, italic, link } = match.groups;
    const whole = link ? trimmed(link) : match[0];
    const node = code ? h('code', null, code.slice(1, -1))
      : bold ? h('strong', null, inline(bold.slice(2, -2), mentions, depth + 1))
        : italic ? h('em', null, inline(italic.slice(1, -1), mentions, depth + 1))
          : linkTo(whole);
    if (!node) continue;
    nodes.push(...plain(text.slice(at, match.index), mentions), node);
    at = match.index + whole.length;
  }
  return [...nodes, ...plain(text.slice(at), mentions)];
};

const plain = (text, mentions) => {
  if (!mentions || !text) return text ? [text] : [];
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(mentions)) {
    nodes.push(text.slice(at, match.index), h('b.mention', null, match[0]));
    at = match.index + match[0].length;
  }
  return [...nodes, text.slice(at)];
};

/** A link without the punctuation of the sentence around it; a bracket belongs to it if it was opened in it. */
const trimmed = (link) => {
  let end = link.length;
  while (end > 0 && (/[.,;:!?'*_~]/.test(link[end - 1]) || (link[end - 1] === ')' && !link.slice(0, end).includes('(')))) end -= 1;
  return link.slice(0, end);
};

const linkTo = (text) => {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  if (!['http:', 'https:', 'mailto:'].includes(protocol)) return null;
  return h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, text);
};
