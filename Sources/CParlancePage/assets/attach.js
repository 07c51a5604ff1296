// Files to send with a message: chosen, dropped or pasted, uploaded to the daemon, shown with thumbnails.

import { refusalOf, upload } from './api.js';
import { fill, h, icon, iconButton } from './dom.js';
import { drawPicture } from './picture.js';
import { toast } from './view.js';
import { number, say, size } from './words.js';

export const MOST_FILES = 32;
const THUMB = 160;
/** The trays of conversations: files stay where they were chosen.
 * @type {Map<string, ReturnType<typeof makeTray>>} */
const trays = new Map();

/**
 * @typedef {{name: string, blob?: Blob, state: 'waiting'|'uploading'|'done'|'failed', part: number, why?: string,
 *   result?: API.FileToSend, abort?: AbortController, thumb?: HTMLCanvasElement, width?: number, height?: number, element: HTMLElement}} Item
 */

/**
 * The tray of a conversation.
 * @param {string} id
 */
export const trayOf = (id) => {
  const tray = trays.get(id) ?? makeTray();
  trays.set(id, tray);
  return tray;
};

const makeTray = () => {
  /** @type {Item[]} */
  let items = [];
  const element = h('ul.tray', { hidden: true, 'aria-label': say('Files of this message') });
  const tray = {
    element, add, ready, isComing, isEmpty: () => !items.length, take, hasRoom, putBack,
    /** @type {(() => void)|null} */
    onchange: null,
    /** @type {HTMLElement|null} what gets the focus when no file is left */
    field: null,
  };

  /** @param {Iterable<File>} files */
  async function add(files) {
    const chosen = [...files];
    if (items.length + chosen.length > MOST_FILES) toast(say('A message can have {1} files at most.', MOST_FILES));
    for (const blob of chosen.slice(0, MOST_FILES - items.length)) {
      /** @type {Item} */
      const item = { name: blob.name || say('picture.png'), blob, state: 'waiting', part: 0, element: h('li') };
      items.push(item);
      drawPicture(blob, THUMB).then((drawn) => {
        if (drawn) Object.assign(item, { thumb: drawn.canvas, width: drawn.width, height: drawn.height });
        draw(item);
      });
      draw(item);
    }
    changed();
    next();
  }

  const changed = () => {
    element.hidden = !items.length;
    fill(element, items.map((item) => item.element));
    tray.onchange?.();
  };

  /** Uploads one file after the other. */
  const next = async () => {
    if (items.some((item) => item.state === 'uploading')) return;
    const item = items.find((one) => one.state === 'waiting');
    if (!item?.blob) return;
    const abort = new AbortController();
    Object.assign(item, { state: 'uploading', part: 0, why: undefined, abort });
    draw(item);
    try {
      item.result = await upload(item.blob, item.name, (part) => { item.part = part; progress(item); }, abort.signal);
      item.state = 'done';
    } catch (error) {
      const { code, message } = refusalOf(error);
      if (code !== 'cancelled') Object.assign(item, { state: 'failed', why: message });
    }
    draw(item);
    tray.onchange?.();
    next();
  };

  const remove = (/** @type {Item} */ item) => {
    item.abort?.abort();
    const at = items.indexOf(item);
    items = items.filter((one) => one !== item);
    changed();
    const other = items[Math.min(at, items.length - 1)]?.element.querySelector('button');
    (other ?? tray.field)?.focus();
    next();
  };

  const progress = (/** @type {Item} */ item) => {
    const bar = item.element.querySelector('progress');
    if (bar) bar.value = item.part;
  };

  const draw = (/** @type {Item} */ item) => {
    const { name, blob, state, part, why, thumb } = item;
    const bytes = blob ? size(blob.size) : '';
    item.element.className = state;
    fill(item.element,
      h('span.thumb', null, thumb ?? icon('file')),
      h('span.tray-text', null,
        h('span.cut', { dir: 'auto', title: name }, name),
        state === 'failed' ? h('span.error', null, why) : h('small.muted', null, state === 'done' ? bytes : say('{1}, being added', bytes)),
        state === 'uploading' && h('progress', { max: 1, value: part, 'aria-label': say('{1}: {2} % added', name, number(Math.round(part * 100))) })),
      state === 'failed' && iconButton('retry', say('Try again with {1}', name), () => { item.state = 'waiting'; draw(item); next(); }),
      iconButton('close', state === 'uploading' ? say('Cancel {1}', name) : say('Remove {1}', name), () => remove(item)));
  };

  /** Whether every file is uploaded. */
  function ready() {
    return items.every((item) => item.state === 'done');
  }

  /** Whether every file is uploaded or will be without help. */
  function isComing() {
    return !ready() && !items.some((item) => item.state === 'failed');
  }

  /** Empties the tray and returns what `send` needs. */
  function take() {
    const files = items.flatMap(({ result, width, height }) => {
      if (!result) return [];
      const { file, name, width: w = width, height: hh = height } = result;
      return [w && hh ? { file, name, width: w, height: hh } : { file, name }];
    });
    items = [];
    changed();
    return files;
  }

  /** @param {number} more */
  function hasRoom(more) {
    return items.length + more <= MOST_FILES;
  }

  /** Puts files back that are uploaded and were not sent.
   * @param {API.FileToSend[]} files */
  function putBack(files) {
    for (const file of files) {
      const { name, width, height } = file;
      /** @type {Item} */
      const item = { name, width, height, state: 'done', part: 1, result: file, element: h('li') };
      items.push(item);
      draw(item);
    }
    changed();
  }

  return tray;
};

/** The files of a drop or a paste.
 * @param {DataTransfer|null} transfer */
export const filesOf = (transfer) => [...transfer?.files ?? []].filter((file) => file.size > 0 || file.type);
