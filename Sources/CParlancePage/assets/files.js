// The files of a message: a picture, or name, size, progress and actions.

import { call, fileURL } from './api.js';
import { fill, h, icon } from './dom.js';
import { personName, plainName } from './names.js';
import { drawPicture, MOST_BYTES } from './picture.js';
import { complain, openSheet } from './view.js';
import { number, say, size } from './words.js';

const SIDE = 640;
const KEPT = 60;
/** @type {Map<string, HTMLElement>} */
const pictures = new Map();
/** @type {WeakMap<Element, () => void>} what brings a picture into its place */
const loads = new WeakMap();

/**
 * @param {API.ShownFile} file
 * @param {API.MessageInfo} message
 */
export const fileView = (file, message) => {
  const isHere = file.state === 'here';
  if (isHere && !file.folder && file.size <= MOST_BYTES && /\.(png|jpe?g|gif|webp)$/i.test(file.name)) return picture(file);
  return card(file, message);
};

/** @typedef {'file.fetch'|'file.pause'|'file.resume'|'file.cancel'|'file.retry'} Method */

/** @param {Method} method @param {API.ShownFile} file @param {MessageOfFile} message */
const act = (method, file, { id, files = [] }) => () =>
  call(method, { id: file.reference ?? (files.length > 1 ? file.file : id) }).catch(complain);

/** The reference to the file under this name for commands: "3f2a91c0", "3f2a91c0/2".
 * @param {API.ShownFile} file */
const shortReference = ({ file, reference }) => {
  const [id, number] = (reference ?? file).split('/');
  return number ? `${id.slice(0, 8)}/${number}` : id.slice(0, 8);
};

/** @param {string} label @param {() => void} onclick @param {string} key */
const button = (label, onclick, key) => h('button.text-button', { type: 'button', onclick, 'data-key': key }, label);

/** @typedef {Pick<API.MessageInfo, 'id'|'files'>} MessageOfFile */

/** @param {API.ShownFile} file @param {MessageOfFile} message */
const card = (file, message) => {
  const { state, bytes = 0 } = file;
  const part = file.size ? bytes / file.size : 0;
  const name = plainName(file.name);
  return h('div.file', null,
    h('span.file-icon', null, icon(file.folder ? 'folder' : 'file')),
    h('div.file-text', null,
      h('span.file-name', { dir: 'auto' }, file.folder ? say('{1} (folder)', name) : name),
      h('span.file-fact', null, facts(file)),
      (state === 'fetching' || state === 'paused') && bytes > 0 &&
        h('progress', { max: 1, value: part, 'aria-label': say('{1}: {2} % here', name, number(Math.floor(part * 100))) }),
      h('span.buttons', null, buttons(file, message))));
};

/** Whom a file waits for.
 * @param {API.Person[]} people who sent it first */
const whom = ([first, ...others]) => (others.length ? say('{1} or others in the group', personName(first)) : personName(first));

/** @param {API.ShownFile} file */
const facts = ({ state, size: bytes, bytes: here = 0, rate = 0, why, at, waits, waitsFor }) => {
  if (state === 'here' && at && at.bytes < bytes) return `${size(bytes)}, ${say('{1} has {2} %', personName(at.peer), number(Math.floor((at.bytes / bytes) * 100)))}`;
  switch (state) {
    case 'fetching': {
      const done = here > 0 ? say('{1} of {2}', size(here), size(bytes)) : size(bytes);
      if (waits && waitsFor) return say('{1}, waiting for {2}: nobody sends it at the moment', done, whom(waitsFor));
      if (waits) return say('{1}, waiting: nobody sends it at the moment', done);
      return rate > 0 ? `${done}, ${size(rate)}/s` : here > 0 ? done : `${done}, ${say('fetching')}`;
    }
    case 'paused': return say('{1}, paused', size(bytes));
    case 'cancelled': return say('{1}, cancelled', size(bytes));
    case 'failed': return why ? say('{1}, failed: {2}', size(bytes), why) : say('{1}, failed', size(bytes));
    default: return size(bytes);
  }
};

/** @param {API.ShownFile} file @param {MessageOfFile} message */
const buttons = (file, message) => {
  const make = (/** @type {string} */ label, /** @type {Method} */ method) =>
    button(label, act(method, file, message), `${method}${file.file}`);
  switch (file.state) {
    case 'here':
      // The page downloads files as they are sent, and a folder has a format of its own.
      if (file.folder) return h('span.file-fact', null, say('To save the folder: parlance fetch {1}', shortReference(file)));
      return h('a.text-button', { href: fileURL(file.file, file.name), download: file.name, 'data-key': `save${file.file}` }, say('Save'));
    case 'offered': case 'cancelled': return make(say('Fetch'), 'file.fetch');
    case 'fetching': return [make(say('Pause'), 'file.pause'), make(say('Cancel'), 'file.cancel')];
    case 'paused': return [make(say('Go on'), 'file.resume'), make(say('Cancel'), 'file.cancel')];
    case 'failed': return make(say('Try again'), 'file.retry');
    default: return null;
  }
};

// ---------------------------------------------------------------------------------------------- Pictures

/** The frame of a picture has its size from the start, so that nothing moves when the picture comes.
 * @param {API.ShownFile} file */
const picture = (file) => {
  const kept = pictures.get(file.file);
  if (kept) return kept;
  const [wide, high] = boxFor(file.width ?? 0, file.height ?? 0);
  const name = plainName(file.name);
  const frame = h('button.picture', {
    type: 'button', 'aria-label': say('Picture {1}. Show it large', name), 'data-key': `show${file.file}`,
    style: { width: `${wide}rem`, 'aspect-ratio': `${wide} / ${high}` },
    onclick: () => { enlarge(file, frame); },
  });
  pictures.set(file.file, frame);
  if (pictures.size > KEPT) pictures.delete(pictures.keys().next().value);
  near.observe(frame);
  loads.set(frame, () => load(file, frame));
  return frame;
};

/** Width and height on the page, in rem.
 * @param {number} width @param {number} height in pixels, 0 if not known */
const boxFor = (width, height) => {
  const ratio = width > 0 && height > 0 ? Math.min(3, Math.max(0.4, width / height)) : 4 / 3;
  const wide = Math.min(20, 16 * ratio, width > 0 ? Math.max(6, width / 16) : 20);
  return [Math.round(wide * 100) / 100, Math.round((wide / ratio) * 100) / 100];
};

const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    loads.get(target)?.();
  }
}, { rootMargin: '600px' });

const bytesOf = async (/** @type {API.ShownFile} */ file) => {
  const response = await fetch(fileURL(file.file, file.name), { headers: { 'Parlance-Page': '1' } });
  if (!response.ok) throw new Error(String(response.status));
  return response.blob();
};

/** @param {API.ShownFile} file @param {HTMLElement} frame */
const load = async (file, frame) => {
  const drawn = await bytesOf(file).then((blob) => drawPicture(blob, SIDE)).catch(() => null);
  if (drawn) return fill(frame, drawn.canvas);
  // It is not a picture, or no longer here: show it as any other file.
  pictures.delete(file.file);
  const view = card(file, { files: [file], id: file.file });
  frame.replaceWith(view);
  return view;
};

/** @param {API.ShownFile} file @param {HTMLElement} frame */
const enlarge = async (file, frame) => {
  if (!frame.firstChild) return;
  const place = h('div.large-picture', { role: 'img', 'aria-label': plainName(file.name) });
  openSheet({
    title: plainName(file.name), wide: true, body: place,
    buttons: [h('a.button', { href: fileURL(file.file, file.name), download: file.name }, icon('save'), say('Save'))],
  });
  const drawn = await bytesOf(file).then((blob) => drawPicture(blob, 2048)).catch(() => null);
  if (drawn) fill(place, drawn.canvas);
};
