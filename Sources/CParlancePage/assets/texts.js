// Messages in words. How a conversation was changed, and how far a message has come, the daemon says (`sentence` of
// NoteInfo, `statusWords`).

import { personName, plainName, shownName } from './names.js';
import { say } from './words.js';

/** The author of a message: "Bob ✓".
 * @param {{senderName: string, senderTrust?: API.Trust}} message */
export const senderName = (message) => shownName(message.senderName, message.senderTrust);

/** The text in place of a deleted message.
 * @param {API.DeletionInfo} deletion */
export const deletedText = (deletion) =>
  deletion.by.me ? say('(deleted by you)') : say('(deleted by {1})', personName(deletion.by));

/** The text in place of a message of somebody blocked.
 * @param {API.MessageInfo} message */
export const blockedText = (message) => say('(a message of {1}, whom you have blocked)', senderName(message));

/** The text of a message, without its author.
 * @param {API.MessageInfo} message */
export const messageText = (message) => {
  if (message.note) return message.note.sentence ?? '';
  if (message.blocked) return blockedText(message);
  if (message.deleted) return deletedText(message.deleted);
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
