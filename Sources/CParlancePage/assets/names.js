// Names of people as the page shows them.

import { listing, say } from './words.js';

/** Characters that change the direction of writing, control characters, and those that look like the mark of a verified name. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069✓✔✅☑🗸]/gu;

/** A name without characters that could deceive.
 * @param {string|undefined} name */
export const plainName = (name) => (name ?? '').replace(HIDDEN, '').trim();

/** "Bob ✓" if verified.
 * @param {string} name @param {API.Trust} [trust] */
export const shownName = (name, trust) => (trust === 'verified' ? `${plainName(name)} ✓` : plainName(name));

/** "You", "Bob ✓".
 * @param {Pick<API.Person, 'displayName'|'trust'|'me'>} person */
export const personName = (person) => (person.me ? say('You') : shownName(person.displayName, person.trust));

/**
 * "Ada, Bob and you"; a long list ends with the number of the others.
 * @param {Pick<API.Person, 'displayName'|'trust'|'me'>[]} people
 * @param {number} [count] of all
 */
export const peopleNames = (people, count = people.length) => {
  const names = people.slice(0, 5).map((one) => (one.me ? say('you') : personName(one)));
  const left = Math.max(count, people.length) - names.length;
  if (left > 0) names.push(left === 1 ? say('1 more') : say('{1} more', left));
  return names.length ? listing(names) : say('nobody');
};

/** What to call a conversation.
 * @param {Pick<API.ConversationInfo, 'title'|'trust'|'kind'>} conversation */
export const titleOf = (conversation) =>
  conversation.kind === 'direct' ? shownName(conversation.title, conversation.trust) : plainName(conversation.title);
