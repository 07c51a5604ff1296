// The settings of a conversation: pinned, muted, and how long messages stay here and for everybody.

import { ask, choice, field, switchRow } from './parts.js';
import { plainName, titleOf } from './names.js';
import { readConversations } from './state.js';
import { confirmSheet } from './view.js';
import { fullTime, period, say } from './words.js';

const DAY = 86_400;
const LENGTHS = [DAY, 7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY];
const MUTES = [3600, 8 * 3600, DAY, 7 * DAY];
const NIGHT = '22:00-07:00';

/** @template {keyof API.Methods} M @param {M} method @param {API.Methods[M]['params']} params */
const set = async (method, params) => {
  const result = await ask(method, params);
  await readConversations();
  return result;
};

/** @typedef {Omit<API.ConversationInfo, 'lastMessage'|'lastActivity'|'unread'|'mentions'|'presence'>} Conversation */

/** A conversation without what changes as people come, go and write.
 * @param {API.ConversationInfo|undefined} conversation @returns {Conversation|null} */
export const settingsOf = (conversation) => {
  if (!conversation) return null;
  const { lastMessage, lastActivity, unread, mentions, presence, ...settings } = conversation;
  return settings;
};

/** The lengths that can be chosen, and the present one.
 * @param {number} value seconds, 0 for no end @param {string} endless what that is called
 * @returns {[number, string][]} */
const lengths = (value, endless) => [...new Set([0, ...LENGTHS, value])].sort((a, b) => a - b)
  .map((one) => [one, one ? period(one) : endless]);

/** @param {Conversation} conversation @param {string} who */
const muteChoice = (conversation, who) => {
  const now = conversation.quiet ? `q${conversation.quiet}` : conversation.muted ? (conversation.mutedUntil ? 'until' : 'muted') : 'off';
  /** @type {[string, string][]} */
  const options = [['off', say('Not muted')]];
  if (conversation.mutedUntil) options.push(['until', say('Until {1}', fullTime(conversation.mutedUntil))]);
  for (const one of MUTES) options.push([String(one), say('For {1}', period(one))]);
  options.push(['muted', say('Until you end it')],
    [`q${conversation.quiet ?? NIGHT}`, say('Each day at {1}', conversation.quiet ?? NIGHT)]);
  const change = (/** @type {string} */ value) => {
    if (value === 'off') set('unmute', { who });
    else if (value === 'muted') set('mute', { who });
    else if (value[0] === 'q') set('mute', { who, daily: value.slice(1) });
    else if (value !== 'until') set('mute', { who, seconds: Number(value) });
  };
  return field(say('Mute'), choice(options, now, change, { 'data-key': 'mute' }), say('Messages that mention you are still announced.'));
};

/** @param {Conversation} conversation @param {string} who */
const retainChoice = (conversation, who) => {
  const now = conversation.retain ?? 0;
  const change = async (/** @type {string} */ value) => {
    const seconds = Number(value);
    if (seconds && !(await confirmSheet({ title: say('Remove old messages?'), action: say('Remove them'), danger: true,
      text: say('This would remove what is older than {1} from this computer for good.', period(seconds)) }))) {
      select.value = String(now);
      return;
    }
    if (!(await set('retain', { who, seconds: seconds || undefined }))) select.value = String(now);
  };
  const select = choice(lengths(now, say('Without an end')), now, change, { 'data-key': 'retain' });
  return field(say('Keep on this computer'), select, say('Nothing goes that is unread or not delivered.'));
};

/** How messages disappear, in a sentence.
 * @param {Conversation} conversation */
const disappearWords = ({ disappear, ...conversation }) => {
  const title = conversation.kind === 'direct' ? titleOf(conversation) : plainName(conversation.title);
  const { after, you, others } = disappear ?? {};
  if (after) return say('Messages of {1} disappear from every computer after {2}, once they are read and delivered.', title, period(after));
  if (you) return say('Messages of {1} do not disappear. You want that after {2}; it counts once {3} wants it too.', title, period(you), title);
  if (others) return say('{1} wants that after {2}. It counts once you choose a time too.', title, period(others));
  return say('For everybody, once they are read and delivered.');
};

/** @param {Conversation} conversation @param {string} who @param {boolean} isAllowed */
const disappearChoice = (conversation, who, isAllowed) => {
  const { you, after } = conversation.disappear ?? {};
  const now = conversation.kind === 'direct' ? you ?? 0 : after ?? 0;
  const change = async (/** @type {string} */ value) => {
    const seconds = Number(value);
    if (seconds && !(await confirmSheet({ title: say('Let messages disappear?'), action: say('Let them disappear'), danger: true,
      text: say('Messages that are older than {1} are removed from every computer.', period(seconds)) }))) {
      select.value = String(now);
      return;
    }
    if (!(await set('disappear', { who, seconds }))) select.value = String(now);
  };
  const select = choice(lengths(now, say('Never')), now, change, { 'data-key': 'disappear', disabled: !isAllowed });
  const words = disappearWords(conversation);
  return field(say('Messages disappear after'), select, isAllowed ? words : `${words} ${say('Only an admin changes this.')}`);
};

/**
 * The settings of a conversation, as fields.
 * @param {Conversation} conversation
 * @param {{isAdmin?: boolean}} more of a group
 */
export const preferences = (conversation, { isAdmin = true } = {}) => {
  const who = conversation.peer ?? conversation.id;
  return [
    switchRow(say('Pinned: it comes first in the list'), conversation.pinned === true, (isOn) => set(isOn ? 'pin' : 'unpin', { who }), { 'data-key': 'pin' }),
    muteChoice(conversation, who),
    retainChoice(conversation, who),
    disappearChoice(conversation, who, isAdmin),
  ];
};
