// Verifying somebody: the safety number, the code to scan, and the camera where the browser can read codes.

import { call } from './api.js';
import { fill, h, icon } from './dom.js';
import { shownName } from './names.js';
import { ask, button, copyButton, field, form, sheetOver } from './parts.js';
import { qrDrawing } from './qr.js';
import { readPeers } from './state.js';
import { complain, toast } from './view.js';
import { say } from './words.js';

const canScan = () => 'BarcodeDetector' in globalThis && Boolean(navigator.mediaDevices?.getUserMedia);

/** Watches the camera until it shows a code.
 * @param {Element} place @param {(code: string) => void} found
 * @returns {() => void} ends it */
const scan = (place, found) => {
  /** @type {MediaStream|null} */
  let stream = null;
  let isOver = false;
  const stop = () => {
    isOver = true;
    stream?.getTracks().forEach((track) => track.stop());
    place.replaceChildren();
  };
  (async () => {
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (isOver) { stop(); return; }
      const video = h('video.camera', { muted: true, playsinline: true, 'aria-label': say('The camera') });
      video.srcObject = stream;
      fill(place, h('p', { role: 'status' }, say('Hold the code on their screen before the camera.')), video);
      await video.play();
      const detector = new globalThis.BarcodeDetector({ formats: ['qr_code'] });
      while (!isOver) {
        const [code] = await detector.detect(video);
        if (code?.rawValue) { stop(); found(code.rawValue); return; }
        await new Promise((done) => setTimeout(done, 250));
      }
    } catch {
      stop();
      toast(say('The camera cannot be used. Compare the numbers instead.'));
    }
  })();
  return stop;
};

/** Opens the sheet in which somebody is verified.
 * @param {string} id of the peer */
export const openVerify = async (id) => {
  const first = await ask('verify', { who: id });
  if (!first) return;
  const name = shownName(first.peer.displayName);
  const place = h('div.stack');
  const camera = h('div.stack');
  let stopCamera = () => {};
  const tell = async (/** @type {Omit<API.VerifyOperation, 'who'>} */ params) => {
    try {
      const result = await call('verify', { who: id, ...params });
      toast(result.peer.trust === 'verified' ? say('{1} is verified.', name) : say('{1} is no longer verified.', name));
      readPeers();
      draw(result);
    } catch (error) {
      complain(error);
    }
  };
  const draw = (/** @type {API.VerificationInfo} */ { peer, number, code }) => {
    const isVerified = peer.trust === 'verified';
    const scanned = h('input.input', { autocomplete: 'off', spellcheck: 'false' });
    const focused = place.contains(document.activeElement);
    fill(place,
      isVerified
        ? h('p.trust.good', null, icon('shield'), h('span', null, say('You have verified {1}.', name)))
        : h('p', { dir: 'auto' }, say('Compare this number with the one on their screen, side by side or by telephone, not in a message.')),
      h('div.number', { role: 'group', 'aria-label': say('Safety number') }, number.split(' ').map((one) => h('span', null, one))),
      h('div.buttons.middle', null, isVerified
        ? button(say('Take the verification back'), () => tell({ confirm: false }))
        : button(say('They are the same'), () => tell({ confirm: true }), { kind: 'primary' }), copyButton(number, say('Copy the number'))),
      h('h3', null, say('Or scan')),
      h('p.help', { dir: 'auto' }, say('{1} scans this code with Parlance, or you scan theirs. It compares the whole identities.', name)),
      qrDrawing(code, say('Code for {1} to scan', name)),
      h('details', null, h('summary', null, say('The text of the code')), h('p.mono', null, code), copyButton(code, say('Copy the text of the code'))),
      !isVerified && canScan() && button(say('Scan with the camera'), () => { stopCamera(); stopCamera = scan(camera, (text) => tell({ scanned: text })); }, { symbol: 'picture' }),
      camera,
      !isVerified && form(field(say('Text of their code'), scanned, say('If another program has scanned it.')), say('Compare'), () => tell({ scanned: scanned.value })));
    if (focused) place.querySelector('button')?.focus();
  };
  draw(first);
  sheetOver({ title: say('Verify {1}', name), body: place, onClose: () => stopCamera() });
};
