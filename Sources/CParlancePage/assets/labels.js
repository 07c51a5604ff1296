// Short labels that several views share.

import { say } from './words.js';

/** @enum {(...values: never[]) => string} */
export const label = {
  accept: () => say('Accept'),
  addPeople: () => say('Add people'),
  block: () => say('Block'),
  cancel: () => say('Cancel'),
  conversation: () => say('Conversation'),
  decline: () => say('Decline'),
  doctor: () => say('What is wrong, and what helps'),
  files: () => say('Files'),
  forget: () => say('Forget'),
  /** @param {string} who @param {string} where */
  inPlace: (who, where) => say('{1} in {2}', who, where),
  /** @param {number} count */
  more: (count) => say('{1} more', count),
  name: () => say('Name'),
  newGroup: () => say('New group'),
  /** @param {string} when */
  nextTry: (when) => say('next try {1}', when),
  nobody: () => say('Nobody is here yet. Whoever runs Parlance on this network appears by themselves.'),
  noText: () => say('(without text)'),
  outbox: () => say('Outbox'),
  peerID: () => say('Peer ID'),
  person: () => say('Person'),
  presence: () => say('Presence'),
  rename: () => say('Rename'),
  topic: () => say('Topic'),
  /** @param {string} text */
  warning: (text) => say('Warning: {1}', text),
  workspace: () => say('Show the workspace'),
  you: () => say('You'),
};
