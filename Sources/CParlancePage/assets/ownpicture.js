// The user's picture: chosen or dropped, scaled down by the browser, previewed, and only then shown to others.

import { h } from './dom.js';
import { ask, button, painter, sheetOver } from './parts.js';
import { drawPicture, penOf } from './picture.js';
import { SIDE, square } from './portrait.js';
import { readStatus } from './state.js';
import { toast } from './view.js';
import { say } from './words.js';
import { label } from './labels.js';

/** The largest picture that others are sent, in bytes. */
const MOST = 64 * 1024;

/** A JPEG file of a square picture that is small enough; null if there is none.
 * @param {HTMLCanvasElement} picture */
const smallFile = async (picture) => {
  for (const [side, quality] of [[SIDE, 0.9], [SIDE, 0.75], [SIDE, 0.5], [SIDE / 2, 0.75], [SIDE / 4, 0.5]]) {
    const canvas = square(picture, side);
    // Transparent parts would be black in a JPEG file.
    const pen = penOf(canvas);
    pen.globalCompositeOperation = 'destination-over';
    pen.fillStyle = '#ffffff';
    pen.fillRect(0, 0, side, side);
    /** @type {Blob|null} */
    const file = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', quality));
    if (file && file.size <= MOST) return { file, canvas };
  }
  return null;
};

/** @param {Blob} file @returns {Promise<string>} */
const base64 = (file) => new Promise((done, fail) => {
  const reader = new FileReader();
  reader.onload = () => done(String(reader.result).split(',')[1]);
  reader.onerror = () => fail(reader.error);
  reader.readAsDataURL(file);
});

/** Shows how a file would look, and asks.
 * @param {Blob} chosen */
const consider = async (chosen) => {
  const drawn = await drawPicture(chosen, 2048);
  const small = drawn && await smallFile(drawn.canvas);
  if (!small) return toast(say('The browser cannot show this file as a picture. Choose a JPEG, PNG, GIF or WebP file.'));
  const use = async () => {
    if (!(await ask('picture', { new: await base64(small.file) }))) return;
    sheet.close();
    toast(say('Others see your picture now.'));
    readStatus();
  };
  const sheet = sheetOver({
    title: say('Your picture'),
    body: [
      h('div.own-picture', { role: 'img', 'aria-label': say('How others will see it') }, small.canvas),
      h('p', null, say('Those whom you have accepted, and the members of your groups, will see it. Where and with what it was taken stays here.')),
    ],
    buttons: [button(label.cancel(), () => sheet.close()), button(say('Use this picture'), use, { kind: 'primary' })],
  });
  return sheet;
};

const remove = async () => {
  if (!(await ask('picture', { remove: true }))) return;
  toast(say('Nobody is given a picture of you any more. Who is away keeps the old one until you are linked again.'));
  readStatus();
};

/** The card in which the picture is chosen.
 * @returns {{element: HTMLElement, paint: (has: {isThere: boolean}) => void}} */
export const ownPicture = () => {
  const picker = h('input', { type: 'file', accept: 'image/png,image/jpeg,image/gif,image/webp', hidden: true, 'aria-label': say('File of your picture'),
    onchange: () => { const [file] = picker.files ?? []; picker.value = ''; if (file) consider(file); } });
  const parts = h('div.form');
  const element = h('div.drop-place', {
    ondragover: (event) => { event.preventDefault(); element.classList.add('over'); },
    ondragleave: () => { element.classList.remove('over'); },
    ondrop: (event) => {
      event.preventDefault();
      element.classList.remove('over');
      const [file] = event.dataTransfer?.files ?? [];
      if (file) consider(file);
    },
  }, picker, parts);
  const paint = painter(parts, (/** @type {{isThere: boolean}} */ { isThere }) => [
    h('p', null, isThere ? say('Those whom you have accepted, and the members of your groups, see your picture.')
      : say('Others see your initials. Choose a picture, or drop one here.')),
    h('div.buttons', null,
      button(isThere ? say('Choose another…') : say('Choose a picture…'), () => picker.click(), { symbol: 'picture', 'data-key': 'picture' }),
      isThere && button(say('Remove the picture'), remove, { 'data-key': 'no-picture' })),
  ]);
  return { element, paint };
};
