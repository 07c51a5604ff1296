// Pictures: only PNG, JPEG, GIF and WebP, recognized by their first bytes, of a bounded size, redrawn by the browser.
// The bytes of others never become an <img>, so no other format is ever decoded.

import { h } from './dom.js';

const MOST_PIXELS = 60_000_000;
/** The largest file that is decoded. */
export const MOST_BYTES = 25 * 1024 * 1024;

/** @param {Uint8Array} bytes @param {string} text */
const starts = (bytes, text, at = 0) => [...text].every((character, i) => bytes[at + i] === character.charCodeAt(0));

/**
 * The type and the size of a picture, from its bytes.
 * @param {Uint8Array} bytes
 * @returns {{type: string, width: number, height: number}|null}
 */
const pictureKind = (bytes) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 30) return null;
  if (starts(bytes, '\x89PNG\r\n\x1a\n')) return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
  if (starts(bytes, 'GIF8')) return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8)) return { type: 'image/webp', ...webp(bytes, view) };
  if (starts(bytes, '\xff\xd8\xff')) return jpeg(view);
  return null;
};

/** @param {Uint8Array} bytes @param {DataView} view */
const webp = (bytes, view) => {
  if (starts(bytes, 'VP8X', 12)) return { width: 1 + (view.getUint32(24, true) & 0xffffff), height: 1 + (view.getUint32(26, true) >>> 8) };
  if (starts(bytes, 'VP8L', 12)) {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
};

/** The segment that begins a frame (SOF) has the size.
 * @param {DataView} view */
const jpeg = (view) => {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) { at += 1; continue; }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return null;
};

/** What draws on a canvas.
 * @param {HTMLCanvasElement} canvas */
export const penOf = (canvas) => {
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('The browser cannot draw.');
  pen.imageSmoothingQuality = 'high';
  return pen;
};

/**
 * A picture of at most `most` pixels a side, as a canvas; null if the bytes are not a picture that can be shown.
 * @param {Blob} blob
 * @param {number} most
 * @param {number} [pixels] that the whole picture may have
 * @returns {Promise<{canvas: HTMLCanvasElement, width: number, height: number}|null>} width, height: of the whole picture
 */
export const drawPicture = async (blob, most, pixels = MOST_PIXELS) => {
  if (blob.size > MOST_BYTES) return null;
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const kind = pictureKind(bytes);
  if (!kind || !kind.width || !kind.height || kind.width * kind.height > pixels) return null;
  try {
    const bitmap = await createImageBitmap(new Blob([bytes], { type: kind.type }));
    const scale = Math.min(1, most / bitmap.width, most / bitmap.height);
    const canvas = h('canvas', { width: Math.max(1, Math.round(bitmap.width * scale)), height: Math.max(1, Math.round(bitmap.height * scale)) });
    penOf(canvas).drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const { width, height } = bitmap;
    bitmap.close();
    return { canvas, width, height };
  } catch {
    return null;
  }
};
