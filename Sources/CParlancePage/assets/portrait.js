// The pictures of people: requested where a face shows them, redrawn, and kept by their IDs (protocol/contacts.md).

import { call } from './api.js';
import { h } from './dom.js';
import { drawPicture, penOf } from './picture.js';
import { state } from './state.js';

/** The width and height of a kept picture, in pixels. */
export const SIDE = 256;
/** The most pixels that the header of a picture may claim: a small file could take much memory. */
const MOST_PIXELS = 1024 * 1024;
const KEPT = 200;
/** @type {Map<string, Promise<HTMLCanvasElement|null|void>|HTMLCanvasElement|null>} by the ID of the picture */
const drawn = new Map();

/** The ID of somebody's picture; undefined if there is none.
 * @param {string} id of the peer, or yours */
export const pictureOf = (id) => (id && id === state.me.id ? state.status?.picture : state.peers.get(id)?.picture)?.id;

/**
 * The square in the middle of a picture.
 * @param {HTMLCanvasElement} picture
 * @param {number} side pixels
 */
export const square = (picture, side) => {
  const part = Math.min(picture.width, picture.height);
  const canvas = h('canvas', { width: side, height: side });
  penOf(canvas).drawImage(picture, (picture.width - part) / 2, (picture.height - part) / 2, part, part, 0, 0, side, side);
  return canvas;
};

/** @param {string} who @param {string} picture its ID */
const read = async (who, picture) => {
  const { picture: found, content } = await call('picture', { who: who === state.me.id ? undefined : who, content: true });
  if (found?.id !== picture || content === undefined) throw new Error('another one by now');
  const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
  const whole = await drawPicture(new Blob([bytes]), 2 * SIDE, MOST_PIXELS);
  return whole && square(whole.canvas, SIDE);
};

/**
 * Somebody's picture, at once if it is kept; null if it cannot be shown, undefined if it did not come.
 * @param {string} who
 * @param {string} picture its ID
 * @returns {Promise<HTMLCanvasElement|null|void>|HTMLCanvasElement|null}
 */
export const portrait = (who, picture) => {
  const kept = drawn.get(picture);
  if (kept !== undefined) return kept;
  const reading = read(who, picture).then((canvas) => { drawn.set(picture, canvas); return canvas; },
    () => { drawn.delete(picture); });
  drawn.set(picture, reading);
  if (drawn.size > KEPT) drawn.delete(drawn.keys().next().value);
  return reading;
};
