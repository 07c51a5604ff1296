// The assistant: a pane next to a conversation, and a page about all conversations. It is off until the user turns it on.

import { result, stateWords } from './answers.js';
import { call, whyNot } from './api.js';
import { fill, h } from './dom.js';
import { label } from './labels.js';
import { titleOf } from './names.js';
import { ask, button, openPane, refill, textButton } from './parts.js';
import { onEvent } from './state.js';
import { forgetTalks, talkAbout } from './talk.js';
import { complain, confirmSheet, openPage, showConversation, toast } from './view.js';
import { actions } from './views.js';
import { clock, fullTime, say } from './words.js';

/** Milliseconds until the state is read again while the assistant reads what was written before. */
const PAUSE = 2000;
const QUESTION_BYTES = 2048;

/** @typedef {import('./talk.js').Talk} Talk */
/** @typedef {import('./talk.js').Entry} Entry */

const intro = (/** @type {() => void} */ turnOn) => [
  h('p', null, say('The assistant reads along on this computer. It finds what is to be done, what was decided, and which messages answer a question.')),
  h('p', null, say('Nothing leaves this computer, unless you name a model server with a command. Nobody is told that it is on.')),
  h('p.help', null, say('It is off. What it finds is kept in a file of its own, which is removed when you turn it off.')),
  h('div.buttons', null, button(say('Turn it on'), turnOn, { kind: 'primary', symbol: 'assistant', 'data-key': 'on' })),
];

const suggestions = (/** @type {boolean} */ isAll) => {
  /** @type {[Entry['kind'], string][]} */
  const all = [['summary', say('Summary')], ['actions', say('Open actions')], ['decisions', say('Decisions')],
    ['due', say('Deadlines')], ['missed', say('What did I miss?')]];
  return isAll ? all.slice(1) : all;
};

/** The entries of a talk, drawn one by one, so that the focus stays and an answer grows in place.
 * @param {Talk} talk @param {boolean} isAll @param {(source: API.AssistantSource) => void} jump */
const makeTurns = (talk, isAll, jump) => {
  const element = h('div.turns', { role: 'log', 'aria-label': say('Questions and answers') });
  /** @type {Map<string, {element: HTMLElement, body: HTMLElement}>} by the IDs of entries */
  const drawn = new Map();

  /** @param {Entry} entry @returns {import('./answers.js').Options} */
  const options = (entry) => ({ jump, isTitled: isAll,
    note: (action, isDone) => talk.note(entry, action, isDone).catch((error) => { complain(error); draw(entry); }) });

  const busy = (/** @type {Entry} */ entry) => [
    entry.text ? h('p.said', { dir: 'auto' }, entry.text) : h('p.muted', null, say('The messages are being looked through…')),
    entry.turn && button(label.cancel(), () => talk.cancel().catch(complain), { 'data-key': 'cancel' }),
  ];

  const draw = (/** @type {Entry} */ entry) => {
    const turn = drawn.get(entry.id);
    // It may have gone while something was noted in it.
    if (!turn) return;
    const { body } = turn;
    const hadFocus = body.contains(document.activeElement);
    body.setAttribute('aria-busy', String(entry.isBusy === true));
    refill(body, entry.isBusy ? busy(entry) : result(entry, options(entry)));
    if (hadFocus && !body.contains(document.activeElement)) turn.element.focus();
  };

  const make = (/** @type {Entry} */ entry) => {
    const body = h('div.answered');
    const time = h('time', { datetime: entry.time, title: fullTime(entry.time) }, clock(entry.time));
    // The pane has a heading of its own.
    const head = h(isAll ? 'h2.asked' : 'h3.asked', null, h('span', { dir: 'auto' }, entry.title), time);
    const turn = h('article.turn', { tabindex: -1 }, head, body);
    return { element: turn, body };
  };

  /** Draws what changed: one entry, or all that are new or gone.
   * @param {Entry} [entry] */
  const changed = (entry) => {
    const known = entry && drawn.get(entry.id);
    if (known) {
      const hasCome = known.body.ariaBusy === 'true' && !entry.isBusy;
      draw(entry);
      if (hasCome && element.lastChild === known.element) known.element.scrollIntoView({ block: 'start' });
      return;
    }
    const all = talk.entries();
    const ids = new Set(all.map((one) => one.id));
    for (const [id, one] of drawn) {
      if (ids.has(id)) continue;
      one.element.remove();
      drawn.delete(id);
    }
    all.forEach((one, i) => {
      const known = drawn.get(one.id);
      const turn = known ?? make(one);
      drawn.set(one.id, turn);
      if (element.children[i] !== turn.element) element.insertBefore(turn.element, element.children[i] ?? null);
      if (!known) draw(one);
    });
    if (all.at(-1)?.isBusy) element.lastElementChild?.scrollIntoView({ block: 'nearest' });
  };
  return { element, changed };
};

/**
 * The view while the assistant is on.
 * @param {Talk} talk
 * @param {API.ConversationInfo|null} conversation null: all of them
 * @param {object} more
 * @param {(source: API.AssistantSource) => void} more.jump
 * @param {() => void} more.turnOff
 * @param {() => void} more.again reads whether it still is on
 */
const makeTalkView = (talk, conversation, { jump, turnOff, again }) => {
  const isAll = !conversation;
  const turns = makeTurns(talk, isAll, jump);
  const words = conversation ? say('Ask about {1}', titleOf(conversation)) : say('Ask about all conversations');
  const field = h('input.input', { type: 'text', maxlength: QUESTION_BYTES, autocomplete: 'off', dir: 'auto', 'aria-label': words,
    placeholder: words, 'data-key': 'question' });
  const submit = h('button.button.primary', { type: 'submit' }, say('Ask'));
  const clear = textButton(say('Clear…'), async () => {
    const isSure = await confirmSheet({ title: say('Remove these questions and answers?'), action: say('Remove them'), danger: true,
      text: say('Messages stay, and what you noted as done.') });
    if (isSure) talk.clear().catch(complain);
    field.focus();
  }, { 'data-key': 'clear' });
  const form = h('form.question', { onsubmit: (event) => {
    event.preventDefault();
    const question = field.value.trim();
    if (!question || talk.isBusy()) return;
    field.value = '';
    talk.ask(question);
  } }, field, submit);
  // The controls stay in place while answers come.
  const element = h('div.talk', null,
    h('p.ways', null,
      !isAll && textButton(say('Ask about all conversations'), () => actions.assistant(), { 'data-key': 'all' }),
      textButton(say('Turn it off…'), turnOff, { 'data-key': 'off' }),
      clear),
    turns.element,
    h('div.asking', null,
      h('div.buttons', { role: 'group', 'aria-label': say('Suggestions') }, suggestions(isAll).map(([kind, title]) =>
        button(title, () => talk.suggest(kind, title), { 'data-key': kind }))),
      form));
  const changed = (/** @type {Entry|undefined} */ entry) => {
    if (entry?.error?.code === 'notYet') again();
    turns.changed(entry);
    clear.hidden = !talk.entries().length;
    submit.disabled = talk.isBusy();
  };
  return { element, changed };
};

/**
 * The panel.
 * @param {API.ConversationInfo|null} conversation null: all conversations
 * @param {(source: API.AssistantSource) => void} jump leads to a message
 */
const makePanel = (conversation, jump) => {
  const who = conversation ? conversation.peer ?? conversation.id : undefined;
  const status = h('p.help', { role: 'status', dir: 'auto' });
  const place = h('div.stack');
  const element = h('div.stack.narrow.assistant', null, status, place);
  /** @type {boolean|undefined} */
  let isOn;
  /** @type {number|undefined} */
  let timer;
  let isOver = false;
  /** @type {{talk: Talk, changed: Talk['changed']}|undefined} what is shown while the assistant is on */
  let shown;

  const turn = async (/** @type {boolean} */ on) => {
    const info = await ask('assistant', { on });
    // It may be off although a file of it stays.
    if (!info) return read();
    show(info);
    place.querySelector(on ? '[data-key=question]' : '[data-key=on]')?.focus();
  };

  const turnOff = async () => {
    const isSure = await confirmSheet({ title: say('Turn the assistant off?'), action: say('Turn it off'), danger: true,
      text: say('What it found is removed, what you asked, and what you noted as done. Messages stay.') });
    if (!isSure) return;
    await turn(false);
    if (isOn === false) toast(say('The assistant is off.'));
  };

  const begin = () => {
    const talk = talkAbout(who);
    const { element: view, changed } = makeTalkView(talk, conversation, { jump, turnOff, again: read });
    talk.changed = changed;
    shown = { talk, changed };
    fill(place, view);
    changed();
    readTalk();
  };

  // The assistant may have been turned off elsewhere.
  const readTalk = () => shown?.talk.read().catch(read);

  const show = (/** @type {API.AssistantInfo} */ info) => {
    if (isOver) return;
    const words = info.on ? stateWords(info) : '';
    if (status.textContent !== words) fill(status, words);
    if (isOn !== info.on) {
      isOn = info.on;
      if (isOn) begin();
      else {
        forgetTalks();
        fill(place, intro(() => turn(true)));
      }
    }
    clearTimeout(timer);
    if (info.reading) timer = setTimeout(read, PAUSE);
  };

  const read = async () => {
    try {
      show(await call('assistant'));
    } catch (error) {
      if (isOver || isOn) return;
      fill(place, h('p.error', { role: 'alert', dir: 'auto' }, whyNot(error)),
        h('button.button', { type: 'button', onclick: () => turn(false) }, say('Turn it off')));
    }
  };

  const forget = onEvent(async (type, _) => {
    if (type !== 'again' && type !== 'resumed') return;
    await read();
    if (isOn && type === 'resumed') readTalk();
  });
  read();
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    forget();
    if (shown && shown.talk.changed === shown.changed) shown.talk.changed = () => {};
  };
  return { element, end };
};

const lead = (/** @type {API.AssistantSource} */ source) => showConversation(source.conversation, { message: source.id });

/** The page about all conversations. */
export const openAssistant = () => {
  const panel = makePanel(null, lead);
  openPage(say('Assistant'), panel.element, { onLeave: panel.end });
};

/** The pane about a conversation.
 * @param {API.ConversationInfo} conversation */
export const openAssistantOf = async (conversation) => {
  /** @type {import('./view.js').Pane|undefined} */
  let pane;
  const panel = makePanel(conversation, (source) => {
    // A sheet would cover the message.
    if (pane?.dialog) pane.close();
    lead(source);
  });
  pane = await openPane(say('Assistant'), panel.element, panel.end);
};
