// The output of the assistant: answers with their sources, summaries, decisions and actions, and the model of each.

import { whyNot } from './api.js';
import { h } from './dom.js';
import { label } from './labels.js';
import { personName, plainName } from './names.js';
import { textButton } from './parts.js';
import { dayOf, fullTime, number, say, when } from './words.js';

/** @param {API.ModelInfo} model @param {boolean} [isChat] */
const modelName = ({ name, address }, isChat) => {
  const words = isChat ? plainName(name)
    : name === 'rules' ? say('words and rules, without a model') : say('words and the model {1}', plainName(name));
  return address ? say('{1}, at {2}', words, plainName(address)) : say('{1}, on this computer', words);
};

/** The model that answers, and how far it has read.
 * @param {API.AssistantInfo} info */
export const stateWords = ({ model, chat, trouble, problem, reading }) => [
  model && say('The assistant is on. It answers with {1}.', modelName(model)),
  model?.address && say('The text of every message goes to {1}, for its embedding.', plainName(model.address)),
  chat && say('Questions are answered by {1}.', modelName(chat, true)),
  trouble && say('Not all messages could be read: {1}', trouble),
  problem && say('Messages are found by their words alone at the moment: {1}', problem),
  reading && say('The assistant is still reading what was written before.'),
].filter(Boolean).join(' ');

/** The model that gave an answer, and where it ran.
 * @param {API.ModelInfo} model @param {boolean} [isChat] whether a chat model gave it */
export const modelLine = (model, isChat) => h('p.help', { dir: 'auto' }, say('From {1}.', modelName(model, isChat)));

/** The author of a message; with several conversations, also the conversation.
 * @param {API.AssistantSource} source @param {boolean} [isTitled] */
const author = ({ sender, kind, title }, isTitled) => {
  const name = personName(sender);
  if (!isTitled) return name;
  if (kind === 'group') return label.inPlace(name, plainName(title));
  return sender.me ? say('You to {1}', plainName(title)) : name;
};

/**
 * A message, as a button that leads to it.
 * @param {API.AssistantSource} source
 * @param {{jump: (source: API.AssistantSource) => void, mark?: string, isTitled?: boolean, text?: string}} options mark: shown
 * before it; text: shown in place of its excerpt
 */
export const sourceRow = (source, { jump, mark, isTitled, text = source.excerpt }) => h('li', null,
  h('button.row.source', { type: 'button', 'data-key': `source-${source.id}`, onclick: () => jump(source) },
    h('span.mark', null, mark),
    h('span.name.cut', { dir: 'auto' }, author(source, isTitled)),
    h('span.end', null,
      source.score !== undefined && h('span', null, say('{1} % match', number(Math.round(source.score * 100)))),
      h('time', { datetime: source.time, title: fullTime(source.time) }, when(source.time))),
    h('span.second', { dir: 'auto' }, text)));

/** @param {API.AssistantSource[]} sources @param {Options} options */
const sourceList = (sources, options, name = say('Sources')) => h('ol.rows', { 'aria-label': name },
  sources.map((one, i) => sourceRow(one, { ...options, mark: `[${i + 1}]` })));

/** A text in which [1] leads to the first source.
 * @param {string} text @param {API.AssistantSource[]} sources @param {(source: API.AssistantSource) => void} jump */
const cited = (text, sources, jump) => {
  const parts = text.split(/\[(\d{1,2})\]/);
  return h('p.said', { dir: 'auto' }, parts.map((part, i) => {
    const source = i % 2 ? sources[Number(part) - 1] : null;
    if (i % 2 === 0) return part;
    return source ? textButton(`[${part}]`, () => jump(source), { 'aria-label': say('Source {1}', part) }) : `[${part}]`;
  }));
};

/** The answer of a chat model, or why there is none.
 * @param {API.Said} reply @param {API.AssistantSource[]} sources @param {(source: API.AssistantSource) => void} jump */
const answered = ({ answer, problem }, sources, jump) => [
  answer && cited(answer, sources, jump),
  problem && h('p.error', { dir: 'auto' }, problem),
];

/** @param {string} text */
const heading = (text) => h('p.subhead', null, text);

/** A task, with a checkbox that marks it as done.
 * @param {API.ActionInfo} action @param {Options} options */
const actionRow = (action, { jump, isTitled, note }) => {
  const { source, deadline, overdue, assignee } = action;
  const time = deadline && say('by {1}', dayOf(deadline));
  const box = h('input', { type: 'checkbox', checked: action.done, 'data-key': `action-${action.id}`,
    onchange: (event) => note(action, event.currentTarget.checked) });
  const remarks = [
    assignee && plainName(assignee),
    time && (overdue ? say('overdue: {1}', time) : time),
    action.priority === 'high' && say('urgent'),
  ].filter(Boolean).join(', ');
  return h('li.action', { class: action.done ? 'is-done' : '' },
    h('label.choice', null, box, h('span.task', { dir: 'auto' }, action.task)),
    h('p.help', { dir: 'auto' }, remarks, remarks && ' · ',
      textButton(`${author(source, isTitled)}, ${when(source.time)}`, () => jump(source), { title: say('Show the message') })));
};

/** @param {API.ActionInfo[]} actions @param {Options} options */
const actionList = (actions, options) => (actions.length
  ? h('ul.actions', { 'aria-label': say('Open actions') }, actions.map((one) => actionRow(one, options)))
  : h('p', null, say('Nothing is to be done, as far as messages say.')));

/** @param {API.DecisionInfo[]} decisions @param {Options} options */
const decisionList = (decisions, options) => h('ul.rows', { 'aria-label': say('Decisions') },
  decisions.map((one) => sourceRow(one.source, { ...options, text: one.text })));

/** @param {API.Said} reply @param {Options} options */
const summary = ({ points = [], decisions = [], actions = [], ...reply }, options) => {
  if (typeof reply.messages !== 'number' || !reply.messages) {
    return [h('p', null, reply.since ? say('Nothing was written since then.') : say('There is nothing to read.'))];
  }
  const says = say('The key messages, of {1}:', number(reply.messages));
  return [
    answered(reply, points, options.jump),
    !reply.answer && points.length > 0 && heading(says),
    reply.answer ? sourceList(points, options)
      : h('ul.rows', { 'aria-label': says }, points.map((one) => sourceRow(one, options))),
    decisions.length > 0 && [heading(say('Decided:')), decisionList(decisions, options)],
    actions.length > 0 && [heading(say('To be done:')), actionList(actions, options)],
  ];
};

const URGENCY = { high: () => say('urgent'), normal: () => say('normal'), low: () => say('low') };

/** @param {API.PriorityInfo[]} messages @param {Options} options */
const unread = (messages, options) => (messages.length
  ? h('ul.rows', { 'aria-label': say('What did I miss?') }, messages.map((one) =>
    sourceRow(one.source, { ...options, mark: URGENCY[one.priority]?.() ?? one.priority })))
  : h('p', null, say('Nothing is unread.')));

/** @type {Record<import('./talk.js').Entry['kind'], (reply: API.Said, options: Options) => API.Child>} */
const DRAW = {
  ask: ({ sources = [], ...reply }, options) => (sources.length
    ? [answered(reply, sources, options.jump), sourceList(sources, options)]
    : [answered(reply, [], options.jump), h('p', null, say('No message answers that.'))]),
  summary,
  actions: ({ actions = [] }, options) => actionList(actions, options),
  due: ({ actions = [] }, options) => actionList(actions, options),
  decisions: ({ decisions = [] }, options) => (decisions.length ? decisionList(decisions, options)
    : h('p', null, say('No decision found.'))),
  missed: (reply, options) => (Array.isArray(reply.messages) ? unread(reply.messages, options) : [
    reply.since && h('p.help', null, say('Since your last message here, {1}:', fullTime(reply.since))),
    summary(reply, options),
  ]),
};

/**
 * @typedef {object} Options
 * @property {(source: API.AssistantSource) => void} jump leads to a message
 * @property {boolean} isTitled whether each message has the name of its group
 * @property {(action: API.ActionInfo, isDone: boolean) => void} note
 */

/**
 * The result of a question or a suggestion.
 * @param {import('./talk.js').Entry} entry
 * @param {Options} options
 */
export const result = ({ kind, reply, error }, options) => [
  error && h('p.error', { role: 'alert', dir: 'auto' }, whyNot(error)),
  reply && [DRAW[kind](reply, options), reply.model && modelLine(reply.model, Boolean(reply.answer))],
];
