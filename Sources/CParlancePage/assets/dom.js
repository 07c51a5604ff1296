// Builds elements. Texts become text nodes, never HTML.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * An element: h('button.plain', { onclick, 'aria-label': '…' }, 'Text', node, [more]).
 * Properties: a function is a listener (`onclick`), `style` an object of CSS properties, true an attribute without
 * value; null, undefined and false are left out. So are children that are null or false.
 * @template {string} Tag
 * @param {Tag} tag a name, with classes after dots
 * @param {API.Props<API.Made<Tag>>|null} [props]
 * @param {...API.Child} children
 * @returns {API.Made<Tag>}
 */
export const h = (tag, props, ...children) => {
  const [name, ...classes] = tag.split('.');
  const element = /** @type {API.Made<Tag>} */ (document.createElement(name));
  if (classes.length) element.className = classes.join(' ');
  return dress(element, props, children);
};

/**
 * The same for SVG.
 * @param {string} tag
 * @param {API.Props<SVGElement>|null} [props]
 * @param {...API.Child} children
 */
export const svg = (tag, props, ...children) => dress(document.createElementNS(SVG, tag), props, children);

/** @template {Element} E @param {E} element @param {API.Props<E>|null|undefined} props @param {API.Child[]} children */
const dress = (element, props, children) => {
  // Children first: under dir="auto" Chromium scans all of them again for each one added.
  element.append(...clean(children));
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value == null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (typeof value === 'object') Object.entries(value).forEach(([name, v]) => element.style.setProperty(name, v));
    else if (key === 'class') element.classList.add(...String(value).split(' ').filter(Boolean));
    else if (key === 'value') Object.assign(element, { value });
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  return element;
};

/** @param {API.Child[]} children @returns {(Node|string)[]} */
const clean = (children) => children.flatMap((one) =>
  (Array.isArray(one) ? clean(one) : one == null || one === false ? [] : [one]));

/**
 * Replaces the children of an element.
 * @template {Element} E
 * @param {E} node
 * @param {...API.Child} children
 */
export const fill = (node, ...children) => {
  node.replaceChildren(...clean(children));
  return node;
};

/** An element of index.html.
 * @param {'banner'|'list'|'main'|'details'|'toast'|'said'} id */
export const byID = (id) => {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}.`);
  return element;
};

/** One further down, or up: what an arrow key asks for; 0 for another key.
 * @param {KeyboardEvent} event */
export const stepOf = ({ key }) => (key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0);

const ICONS = {
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M15.5 15.5L20 20',
  plus: 'M12 5v14M5 12h14',
  assistant: 'M11 4l2 5l5 2l-5 2l-2 5l-2-5l-5-2l5-2zM18.5 16v4.5M16.250 18.250h4.500',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7l7 7',
  forward: 'M9 5l7 7l-7 7',
  down: 'M12 5v14M6 13l6 6l6-6',
  more: 'M5 11a1 1 0 1 1 0 2a1 1 0 0 1 0-2M12 11a1 1 0 1 1 0 2a1 1 0 0 1 0-2M19 11a1 1 0 1 1 0 2a1 1 0 0 1 0-2',
  info: 'M12 4a8 8 0 1 1 0 16a8 8 0 0 1 0-16M12 11v5M12 8h.01',
  people: 'M9 5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7M3 19c0-3.5 2.5-5 6-5s6 1.5 6 5M15.5 5.200a3.5 3.5 0 0 1 0 6.600M18 14.5c2 .7 3 2.2 3 4.5',
  write: 'M4 20l1-4L16.5 4.5l3 3L8 19zM14 7l3 3',
  network: 'M12 9a3 3 0 1 1 0 6a3 3 0 0 1 0-6M5 4a2 2 0 1 1 0 4a2 2 0 0 1 0-4M19 4a2 2 0 1 1 0 4a2 2 0 0 1 0-4M12 18a2 2 0 1 1 0 4a2 2 0 0 1 0-4M6.7 7.200l3 2.700M17.3 7.200l-3 2.700M12 15v3',
  clock: 'M12 4a8 8 0 1 1 0 16a8 8 0 0 1 0-16M12 7.5V12l3 2',
  reply: 'M10 6L4 12l6 6M4 12h9c4 0 7 2 7 6',
  smile: 'M12 4a8 8 0 1 1 0 16a8 8 0 0 1 0-16M9 10h.01M15 10h.01M8.5 14c1.7 2.5 5.3 2.5 7 0',
  edit: 'M4 20l1-4L16.5 4.5l3 3L8 19z',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  attach: 'M19 11.5l-7.5 7.5a4.5 4.5 0 0 1-6.5-6.5L13 4.5a3 3 0 0 1 4.3 4.300L9.5 16.5a1.5 1.5 0 0 1-2.1-2.100L14 8',
  send: 'M12 19V5M6 11l6-6l6 6',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  folder: 'M3 6h6l2 2h10v11H3z',
  picture: 'M4 5h16v14H4zM4 16l5-5l4 4l2.5-2.5L20 17M15.5 9h.01',
  save: 'M12 4v11M7 11l5 5l5-5M5 20h14',
  retry: 'M19 12a7 7 0 1 1-2.2-5.100M19 4v4h-4',
  mute: 'M6 16V11a6 6 0 0 1 9.5-4.900M18 10.5V16l1.5 2H8M10.5 21h3M4 4l16 16',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10.5 21h3',
  pin: 'M9 4h6l-1 6l3 3H7l3-3zM12 13v7',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  checks: 'M2.5 12.5l4.5 4.5l9-9.5M12 16l1 1l9-9.5',
  shield: 'M12 3l7 3v5c0 5-3 8-7 10c-4-2-7-5-7-10V6zM9 12l2 2l4-4',
  block: 'M12 4a8 8 0 1 1 0 16a8 8 0 0 1 0-16M6.5 6.5l11 11',
  warn: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  leave: 'M14 4H5v16h9M10 12h10M17 9l3 3l-3 3',
};

/** @typedef {keyof typeof ICONS} Icon */

/** An icon of one stroke width, hidden from screen readers: label the element around it.
 * @param {Icon} name */
export const icon = (name) =>
  svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: ICONS[name] ?? '' }));

/**
 * A button that is an icon with a label (also its tooltip).
 * @param {Icon} name
 * @param {string} label
 * @param {(event: MouseEvent & {currentTarget: HTMLButtonElement}) => void} onclick
 * @param {API.Props<HTMLButtonElement>} [props]
 */
export const iconButton = (name, label, onclick, props) =>
  h('button.icon-button', { type: 'button', 'aria-label': label, title: label, onclick, ...props }, icon(name));
