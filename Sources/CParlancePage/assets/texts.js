// Messages in words. How a conversation was changed, how far a message has come, and what stands in place of a text the
// daemon says (`sentence` of NoteInfo, `statusWords`, `placeholder`).

import { plainName, shownName } from './names.js';
import { say } from './words.js';

/** The author of a message: "Bob ✓".
 * @param {{senderName: string, senderTrust?: API.Trust}} message */
export const senderName = (message) => shownName(message.senderName, message.senderTrust);

/** The text of a message, without its author.
 * @param {API.MessageInfo} message */
export const messageText = (message) => {
  if (message.note) return message.note.sentence ?? '';
  if (message.placeholder) return message.placeholder;
  return [message.text, ...(message.files ?? []).map((file) => plainName(file.name))].filter(Boolean).join(' ');
};

/**
 * A message in one line: "You: See you at noon", "Bob: …" in groups.
 * @param {API.MessageInfo} message
 * @param {boolean} withSender whether to begin with the name of another sender
 */
export const messageLine = (message, withSender) => {
  const text = messageText(message).slice(0, 200);
  if (message.note || message.blocked) return text;
  if (message.mine) return `${say('You')}: ${text}`;
  return withSender ? `${senderName(message)}: ${text}` : text;
};

/** "online", "away"…
 * @param {API.PresenceState} presence */
export const presenceWord = (presence) =>
  ({ online: say('online'), away: say('away'), busy: say('busy'), offline: say('offline') })[presence] ?? '';

/** "Bob is typing…"
 * @param {string[]} names */
export const typingText = (names) =>
  names.length === 1 ? say('{1} is typing…', names[0]) : say('{1} are typing…', names.slice(0, 3).join(', '));
