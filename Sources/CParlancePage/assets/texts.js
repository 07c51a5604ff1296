// Messages, notes and statuses in words, the same as in the terminal.

import { peopleNames, personName, plainName, shownName } from './names.js';
import { period, say } from './words.js';

/** The author of a message: "Bob ✓".
 * @param {{senderName: string, senderTrust?: API.Trust}} message */
export const senderName = (message) => shownName(message.senderName, message.senderTrust);

/** How the conversation changed, in one sentence.
 * @param {API.MessageInfo} message @param {API.NoteInfo} note its own */
export const noteSentence = (message, note) => {
  const { mine } = message;
  const who = senderName(message);
  const text = plainName(note.text ?? '');
  const count = note.count ?? note.people.length;
  const people = peopleNames(note.people, count);
  const isOne = count === 1;
  switch (note.kind) {
    case 'created': {
      const others = note.people.filter((one) => one.id !== message.sender);
      return created(text, message, others, count - (note.people.length - others.length));
    }
    case 'added': return mine ? say('You added {1}', people) : say('{1} added {2}', who, people);
    case 'removed': return mine ? say('You removed {1}', people) : say('{1} removed {2}', who, people);
    case 'left': return mine ? say('You left') : say('{1} left', who);
    case 'appointed':
      if (isOne) return mine ? say('You made {1} an admin', people) : say('{1} made {2} an admin', who, people);
      return mine ? say('You made {1} admins', people) : say('{1} made {2} admins', who, people);
    case 'dismissed':
      if (isOne) return mine ? say('You removed {1} as admin', people) : say('{1} removed {2} as admin', who, people);
      return mine ? say('You removed {1} as admins', people) : say('{1} removed {2} as admins', who, people);
    case 'renamed': return mine ? say('You renamed the group to "{1}"', text) : say('{1} renamed the group to "{2}"', who, text);
    case 'topic':
      if (!text) return mine ? say('You removed the topic') : say('{1} removed the topic', who);
      return mine ? say('You set the topic: {1}', text) : say('{1} set the topic: {2}', who, text);
    case 'lifetime': return lifetime(note.seconds ?? 0, message, who);
    case 'forked':
      return mine
        ? say('Your messages go on in two branches here: a restored backup or a copied folder (parlance doctor)')
        : say("{1}'s messages go on in two branches here: a restored backup or a copied folder (parlance doctor)", who);
    default: return say('{1} changed the conversation', mine ? say('You') : who);
  }
};

/** @param {string} title @param {API.MessageInfo} message @param {API.Person[]} others @param {number} count */
const created = (title, { mine, ...message }, others, count) => {
  const who = senderName(message);
  if (!others.length) return mine ? say('You created the group "{1}"', title) : say('{1} created the group "{2}"', who, title);
  const people = peopleNames(others, count);
  return mine
    ? say('You created the group "{1}" with {2}', title, people)
    : say('{1} created the group "{2}" with {3}', who, title, people);
};

/** @param {number} seconds @param {API.MessageInfo} message @param {string} who */
const lifetime = (seconds, { mine, group }, who) => {
  if (seconds === 0) return mine ? say('You turned disappearing messages off') : say('{1} turned disappearing messages off', who);
  const length = period(seconds);
  if (group == null) {
    return mine ? say('You want messages to disappear after {1}', length) : say('{1} wants messages to disappear after {2}', who, length);
  }
  return mine ? say('You let messages disappear after {1}', length) : say('{1} lets messages disappear after {2}', who, length);
};

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
  if (message.note) return noteSentence(message, message.note);
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

/**
 * The status of an own message, in a few words: "delivered", "read by Ada and Bob", "waits: Bob is offline".
 * @param {Pick<API.MessageInfo, 'status'|'waitingReason'|'reach'>} message
 */
export const statusWords = (message) => {
  const { status, waitingReason, reach } = message;
  if (reach && reach.delivered > 0 && status !== 'failed') {
    if (reach.read > 0) return say('read by {1}', peopleNames(reach.readBy, reach.read));
    if (reach.delivered < reach.recipients) return say('delivered {1}/{2}', reach.delivered, reach.recipients);
  }
  switch (status) {
    case 'staged': return waitingReason ? say('waits: {1}', waitingReason) : say('waits');
    case 'sending': return say('sending');
    case 'sent': return say('sent');
    case 'delivered': return say('delivered');
    case 'read': return say('read');
    case 'failed': return waitingReason ? say('failed: {1}', waitingReason) : say('failed');
    default: return '';
  }
};

/** "Bob is typing…"
 * @param {string[]} names */
export const typingText = (names) =>
  names.length === 1 ? say('{1} is typing…', names[0]) : say('{1} are typing…', names.slice(0, 3).join(', '));
