// The history on the screen: rows for messages, days and the line "New"; it keeps the reader's place.

import { fill, h, icon } from './dom.js';
import { messageView } from './message.js';
import { day, say } from './words.js';

const RUN = 5 * 60_000;
const NEAR = 600;
const END = 40;

/** What a row is made of, and how.
 * @typedef {{key: string, make: () => HTMLElement, message?: API.MessageInfo, place?: string}} Row */

/**
 * @param {object} options
 * @param {() => import('./history.js').Window} options.window
 * @param {(kind: 'older'|'newer'|'end') => Promise<boolean>} options.load whether something was read
 * @param {import('./message.js').Doings} options.doings
 * @param {Node} options.below shown after the last message
 * @param {() => boolean} options.canWrite
 * @param {() => void} options.seen the reader sees other messages now
 * @param {(key: string, message: API.MessageInfo, row: Element) => boolean} options.key a key was pressed on a message
 */
export const makeLog = (options) => {
  const list = h('ol.messages');
  const above = h('div.above');
  const scroller = h('div.log', { tabindex: 0, role: 'group', 'aria-label': say('Messages'), onkeydown: (event) => pressed(event) },
    above, list, options.below);
  const count = h('span');
  const jump = h('button.jump', {
    type: 'button', hidden: true, onclick: () => { toEnd(); }, onwheel: (event) => wheeled(event),
  }, icon('down'), count);
  const element = h('div.log-area', null, scroller, jump);
  /** @type {Map<string, Row & {element: HTMLElement}>} */
  let rows = new Map();
  let missed = 0;
  let found = '';
  let isPinned = true;
  let wasAt = 0;

  const atEnd = () => isPinned && !options.window().hasNewer;

  // -------------------------------------------------------------------------------------------- Drawing

  /** The rows to show. */
  const wanted = () => {
    const { items, firstNew, conversation } = options.window();
    const canWrite = options.canWrite();
    const isGroup = conversation?.kind === 'group';
    /** @type {Row[]} */
    const out = [];
    items.forEach((message, i) => {
      const [before, after] = [items[i - 1], items[i + 1]];
      const isNewDay = !before || day(before.time) !== day(message.time);
      if (isNewDay) out.push({ key: `day ${message.time.slice(0, 10)} ${day(message.time)}`, make: () => h('li.day', null, h('span', null, day(message.time))) });
      if (message.id === firstNew) out.push({ key: 'new', make: () => h('li.new', null, h('span', null, say('New'))) });
      const first = isNewDay || message.id === firstNew || !goesOn(before, message);
      const last = !after || after.id === firstNew || day(after.time) !== day(message.time) || !goesOn(message, after);
      const meta = last || (message.mine && message.status !== after.status);
      const place = { first, last, meta, group: isGroup, canWrite };
      out.push({ key: message.id, message, place: JSON.stringify(place), make: () => messageView(message, place, options.doings) });
    });
    return out;
  };

  /** Draws what changed; the view stays where it is, or at the end if it was there. */
  const draw = () => {
    const isAtEnd = atEnd();
    const anchor = isAtEnd ? null : firstVisible();
    const focus = focused();
    /** @type {typeof rows} */
    const next = new Map();
    const elements = [];
    for (const row of wanted()) {
      const key = next.has(row.key) ? `${row.key} ${next.size}` : row.key;
      const known = rows.get(key);
      const same = known?.message === row.message && known?.place === row.place ? known?.element : undefined;
      const element = same ?? row.make();
      if (row.key === found && !same) element.classList.add('found');
      next.set(key, { ...row, element });
      elements.push(element);
    }
    rows = next;
    arrange(elements);
    drawAbove();
    if (focus) refocus(focus);
    if (isAtEnd) scroller.scrollTop = scroller.scrollHeight;
    else if (anchor) hold(anchor);
    wasAt = scroller.scrollTop;
    drawJump();
  };

  const arrange = (/** @type {Element[]} */ elements) => {
    const keep = new Set(elements);
    for (const child of [...list.children]) if (!keep.has(child)) child.remove();
    elements.forEach((element, i) => {
      if (list.children[i] !== element) list.insertBefore(element, list.children[i] ?? null);
    });
  };

  const drawAbove = () => {
    const { hasOlder, busy, items } = options.window();
    const words = busy === 'older' ? say('Reading…') : !hasOlder && items.length ? say('This is where the conversation begins.') : '';
    if (above.textContent !== words) fill(above, words);
  };

  /** The first message on the screen and where it is. */
  const firstVisible = () => {
    const top = scroller.getBoundingClientRect().top;
    for (const element of list.children) {
      const box = element.getBoundingClientRect();
      if (element.dataset.id && box.bottom > top) return { id: element.dataset.id, at: box.top };
    }
    return null;
  };

  /** Restores the position only if it moved: setting it stops a scroll in progress, even without a change.
   * @param {{id: string, at: number}} anchor */
  const hold = ({ id, at }) => {
    const moved = (rows.get(id)?.element.getBoundingClientRect().top ?? at) - at;
    if (moved) scroller.scrollTop += moved;
  };

  const focused = () => {
    const element = document.activeElement;
    const id = list.contains(element) && element?.closest('[data-id]')?.dataset.id;
    return element && id ? { element, id } : null;
  };

  /** @param {{element: Element, id: string}} before the element that had the focus, in the row of a message */
  const refocus = ({ element, id }) => {
    if (element.isConnected) return;
    const row = rows.get(id)?.element;
    const { key } = element.dataset;
    const same = key && [...(row?.querySelectorAll('[data-key]') ?? [])].find((one) => one.dataset.key === key);
    (same || row || scroller).focus({ preventScroll: true });
  };

  // ------------------------------------------------------------------------------------------ Scrolling

  let waits = false;
  scroller.addEventListener('scroll', () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => { waits = false; scrolled(); });
  }, { passive: true });

  const scrolled = () => {
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const rest = scrollHeight - scrollTop - clientHeight;
    isPinned = rest < END;
    const isUp = scrollTop < wasAt;
    wasAt = scrollTop;
    const { hasOlder, hasNewer, busy } = options.window();
    if (!busy && hasOlder && scrollTop < NEAR && (isUp || scrollTop < END)) options.load('older').then(goOn, () => {});
    else if (!busy && hasNewer && rest < NEAR && (!isUp || rest < END)) options.load('newer').then(goOn, () => {});
    if (atEnd()) missed = 0;
    drawJump();
    options.seen();
  };

  /** The button appears under the mouse that pressed it before; let the wheel scroll all the same.
   * @param {WheelEvent} event */
  const wheeled = ({ deltaY, deltaMode }) => { scroller.scrollTop += deltaY * [1, 20, scroller.clientHeight][deltaMode]; };

  /** Loads more where needed; never after an empty page, because that would not end. */
  const goOn = (/** @type {boolean} */ isMore) => { if (isMore && scroller.isConnected) scrolled(); };

  // A window that changes its size keeps the end on the screen.
  new ResizeObserver(() => { if (isPinned) scroller.scrollTop = scroller.scrollHeight; }).observe(scroller);

  const drawJump = () => {
    const { hasNewer, items } = options.window();
    jump.hidden = !items.length || (isPinned && !hasNewer);
    const words = missed === 0 ? '' : missed === 1 ? say('1 new message') : say('{1} new messages', missed);
    if (count.textContent !== words) count.textContent = words;
    jump.setAttribute('aria-label', words || say('Go to the newest message'));
    jump.title = say('Go to the newest message');
  };

  const toEnd = async () => {
    if (options.window().hasNewer) await options.load('end').catch(() => {});
    missed = 0;
    isPinned = true;
    scroller.scrollTop = scroller.scrollHeight;
    drawJump();
    options.seen();
  };

  /** Shows the line "New" near the top, or the end if there is none or everything fits. */
  const toNew = () => {
    const line = rows.get('new')?.element;
    isPinned = true;
    scroller.scrollTop = scroller.scrollHeight;
    if (line && line.offsetTop < scroller.scrollTop) {
      scroller.scrollTop = Math.max(0, line.offsetTop - scroller.clientHeight / 4);
      isPinned = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < END;
    }
    wasAt = scroller.scrollTop;
    drawJump();
  };

  /** Shows a message in the middle and marks it. Returns whether it is loaded.
   * @param {string} id */
  const show = (id) => {
    const element = rows.get(id)?.element;
    list.querySelector('.found')?.classList.remove('found');
    found = element ? id : '';
    if (!element) return false;
    element.classList.add('found');
    isPinned = false;
    scroller.scrollTop = element.offsetTop - Math.max(0, (scroller.clientHeight - element.offsetHeight) / 2);
    isPinned = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < END;
    wasAt = scroller.scrollTop;
    element.focus({ preventScroll: true });
    drawJump();
    return true;
  };

  /** The last message whose beginning and most of whose end is on the screen. */
  const lastSeen = () => {
    const bottom = scroller.getBoundingClientRect().bottom + 1;
    for (const element of [...list.children].reverse()) {
      if (!element.dataset.id) continue;
      const box = element.getBoundingClientRect();
      if (Math.min(box.bottom - 12, box.top + 120) < bottom) return element.dataset.id;
    }
    return null;
  };

  // ---------------------------------------------------------------------------------------------- Keys

  const pressed = (/** @type {KeyboardEvent} */ event) => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return;
    const { id } = target.dataset;
    if (target !== scroller && !id) return;
    const all = [...list.querySelectorAll('[data-id]')];
    const at = all.indexOf(target);
    const message = id && rows.get(id)?.message;
    if (event.key === 'ArrowUp') (all[at < 0 ? all.length - 1 : at - 1])?.focus();
    else if (event.key === 'ArrowDown') at >= 0 && (all[at + 1] ?? scroller).focus();
    else if (event.key === 'End') toEnd();
    else if (!(message && options.key(event.key, message, target))) return;
    event.preventDefault();
  };

  return {
    element, scroller, draw, atEnd, toEnd, toNew, show, lastSeen, firstVisible,
    missed: () => { if (!atEnd()) { missed += 1; drawJump(); } },
  };
};

/** Whether a message joins the one before it.
 * @param {API.MessageInfo} before @param {API.MessageInfo} message */
const goesOn = (before, message) =>
  !before.note && !message.note && before.sender === message.sender &&
  Date.parse(message.time) - Date.parse(before.time) < RUN;
