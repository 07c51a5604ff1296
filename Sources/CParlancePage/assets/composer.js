// The message field: text, files, an answer or an edit, suggestions, the draft.

import { call } from './api.js';
import { filesOf, MOST_FILES, trayOf } from './attach.js';
import { makeCompletion } from './complete.js';
import { fill, h, iconButton } from './dom.js';
import { draftOf, keepDraft } from './drafts.js';
import { dropOutgoing, sendMessage, tellUnknownMentions } from './outgoing.js';
import { messageText, senderName } from './texts.js';
import { complain, toast } from './view.js';
import { say } from './words.js';

const MOST_BYTES = 65_536;
const TYPING = 2000;

/** @typedef {Readonly<ReturnType<typeof makeComposer>>} Composer */

/**
 * @param {object} options
 * @param {string} options.id of the conversation
 * @param {string} options.who for the daemon
 * @param {string} options.title
 * @param {() => {id: string, displayName: string}[]} options.people who can be mentioned
 * @param {(id: string) => API.MessageInfo|undefined} options.find a message that is here
 * @param {() => API.MessageInfo|undefined} options.lastOwn the newest message that can be edited
 * @param {() => void} options.sent
 */
export const makeComposer = (options) => {
  const { id, who } = options;
  const tray = trayOf(id);
  /** @type {import('./drafts.js').Draft} */
  let draft = { text: '', ...draftOf(id) };
  let typedAt = 0;
  let isBusy = false;
  /** Whether the message is sent once its files are uploaded. */
  let goes = false;

  const field = h('textarea', {
    rows: 1, dir: 'auto', 'aria-autocomplete': 'list', value: draft.text, autocomplete: 'off', enterkeyhint: 'send',
  });
  const completion = makeCompletion(field, options.people);
  const picker = h('input', { type: 'file', multiple: true, hidden: true, onchange: () => { tray.add(picker.files ?? []); picker.value = ''; field.focus(); } });
  const attach = iconButton('attach', say('Add files'), () => picker.click());
  const send = h('button.button.primary.send', { type: 'submit' }, say('Send'));
  const aim = h('div.aim', { hidden: true });
  const hint = h('p', { role: 'status' });
  const form = h('form.composer', { onsubmit: (event) => { event.preventDefault(); submit(); } },
    aim, tray.element, hint, completion.element, h('div.writing', null, attach, picker, field, send));
  tray.field = field;

  // ------------------------------------------------------------------------------------------- State

  const setTitle = (/** @type {string} */ title) => {
    const label = say('Message to {1}', title);
    if (field.placeholder === label) return;
    field.placeholder = label;
    field.setAttribute('aria-label', label);
  };
  setTitle(options.title);

  const bytes = () => new TextEncoder().encode(field.value).length;

  const update = () => {
    const isTooLong = field.value.length > MOST_BYTES / 4 && bytes() > MOST_BYTES;
    goes = goes && !draft.edit && !isTooLong && tray.isComing();
    const words = isTooLong ? say('The text is too long: it has {1} bytes, and {2} are the most. Send it as a file.', bytes(), MOST_BYTES)
      : goes ? say('The message goes as soon as its files are added.') : '';
    hint.className = isTooLong ? 'error' : 'muted';
    if (hint.textContent !== words) fill(hint, words);
    const isBlank = !field.value.trim() && (Boolean(draft.edit) || tray.isEmpty());
    send.disabled = isBlank || isTooLong || isBusy || (!draft.edit && !tray.ready());
    attach.disabled = Boolean(draft.edit);
    grow();
  };

  /** The field grows to 5 lines. */
  const grow = () => {
    if (CSS.supports('field-sizing', 'content')) return;
    field.style.setProperty('height', 'auto');
    field.style.setProperty('height', `${field.scrollHeight + 2}px`);
  };

  const save = () => {
    draft = { ...draft, text: field.value };
    keepDraft(id, draft);
  };

  const drawAim = () => {
    const about = draft.edit || draft.reply;
    aim.hidden = !about;
    if (!about) return update();
    const message = options.find(about);
    const words = draft.edit ? say('Edit your message') : message ? say('Answer to {1}', message.mine ? say('yourself') : senderName(message)) : say('Answer');
    fill(aim, h('span.aim-text', null, h('b', { dir: 'auto' }, words), message && h('span.cut', { dir: 'auto' }, messageText(message).slice(0, 200))),
      iconButton('close', draft.edit ? say('Leave the message as it is') : say('Do not answer'), () => stop()));
    send.textContent = draft.edit ? say('Save') : say('Send');
    update();
  };

  /** Ends the answer or the edit. */
  const stop = () => {
    const { edit, before, beforeReply } = draft;
    if (edit) field.value = before ?? '';
    draft = { text: field.value };
    if (beforeReply) draft.reply = beforeReply;
    send.textContent = say('Send');
    keepDraft(id, draft);
    drawAim();
    field.focus();
  };

  const reply = (/** @type {API.MessageInfo} */ message) => {
    if (draft.edit) stop();
    draft.reply = message.id;
    save();
    drawAim();
    field.focus();
  };

  const edit = (/** @type {API.MessageInfo} */ message) => {
    const left = draft.edit ? draft : { before: field.value, beforeReply: draft.reply };
    draft = { text: message.text, edit: message.id, before: left.before, beforeReply: left.beforeReply };
    field.value = message.text;
    save();
    drawAim();
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  };

  /** Puts a message that was not sent back into the field, before the text there, but never into another message.
   * @param {import('./outgoing.js').Outgoing} outgoing */
  const takeBack = (outgoing) => {
    const files = outgoing.files ?? [];
    const isEmpty = !field.value.trim() && tray.isEmpty();
    if (draft.edit) return toast(say('First save your edit, or leave it.'));
    if (!isEmpty && draft.reply !== outgoing.reply) return toast(say('First send or remove what you have written.'));
    if (!tray.hasRoom(files.length)) return toast(say('A message can have {1} files at most.', MOST_FILES));
    field.value = [outgoing.text, field.value].filter((text) => text.trim()).join('\n');
    draft.reply = outgoing.reply;
    tray.putBack(files);
    dropOutgoing(outgoing.key);
    save();
    drawAim();
    field.focus();
  };

  // ----------------------------------------------------------------------------------------- Sending

  const submit = () => {
    completion.close();
    update();
    if (send.disabled) {
      goes = !draft.edit && !isBusy;
      return update();
    }
    if (draft.edit) return change(draft.edit);
    const message = { conversation: id, who, text: field.value.trimEnd(), files: tray.take(), reply: draft.reply };
    field.value = '';
    draft = { text: '' };
    typedAt = 0;
    keepDraft(id, draft);
    drawAim();
    field.focus();
    sendMessage(message);
    options.sent();
  };

  const change = async (/** @type {string} */ edited) => {
    const text = field.value;
    if (options.find(edited)?.text === text) return stop();
    isBusy = true;
    update();
    try {
      tellUnknownMentions(await call('edit', { id: edited, text }));
      isBusy = false;
      // By now another message may be edited or answered, or the text may have changed.
      if (draft.edit === edited && field.value === text) stop();
      else update();
    } catch (error) {
      isBusy = false;
      update();
      complain(error);
    }
  };

  // -------------------------------------------------------------------------------------------- Input

  const told = () => {
    if (draft.edit || !field.value.trim() || Date.now() - typedAt < TYPING) return;
    typedAt = Date.now();
    call('typing', { who }).catch(() => {});
  };

  field.addEventListener('input', () => { goes = false; save(); completion.update(); update(); told(); });
  field.addEventListener('blur', () => completion.close());
  field.addEventListener('click', () => completion.update());
  field.addEventListener('keydown', (event) => {
    if (event.isComposing || completion.key(event)) return;
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (event.key === 'Enter' && isPlain) submit();
    else if (event.key === 'Escape' && (draft.edit || draft.reply)) stop();
    else if (event.key === 'ArrowUp' && isPlain && !field.value && !draft.edit) {
      const message = options.lastOwn();
      if (!message) return;
      edit(message);
    } else return;
    event.preventDefault();
  });
  field.addEventListener('paste', (event) => {
    const files = filesOf(event.clipboardData);
    if (!files.length || event.clipboardData?.types.includes('text/plain')) return;
    event.preventDefault();
    tray.add(files);
  });

  tray.onchange = () => { if (goes && tray.ready() && !tray.isEmpty()) submit(); else update(); };
  drawAim();

  return {
    element: form,
    reply, edit, takeBack, drawAim, setTitle,
    focus: () => field.focus(),
    hasText: () => field.value !== '',
    addFiles: (/** @type {File[]} */ files) => { if (!draft.edit) tray.add(files); },
    /** Letters typed elsewhere in the conversation go into the field. */
    type: (/** @type {string} */ text) => {
      field.focus();
      field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
      field.dispatchEvent(new Event('input'));
    },
    close: () => { tray.onchange = null; },
  };
};
