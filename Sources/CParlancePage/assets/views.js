// The views beside the chat, as actions that menus, buttons and addresses call.

import { openDoctor } from './doctor.js';
import { openGroup } from './groups.js';
import { openLife } from './life.js';
import { openMe } from './me.js';
import { openNetwork } from './network.js';
import { openOutbox } from './outbox.js';
import { openNew, openPeople } from './people.js';
import { openPerson } from './person.js';
import { openSearch, searchFor } from './search.js';

/** Shows a page that has an address. */
const page = (name, open) => () => {
  if (location.hash === `#/${name}`) open();
  else location.hash = `#/${name}`;
};

const showSearch = page('search', openSearch);

export const actions = {
  /** The sheet that starts a conversation; its address shows the list behind it. */
  newConversation: () => {
    if (location.hash === '#/new') location.replace('#/');
    openNew();
  },
  people: page('people', openPeople),
  /** @param {string} id of a peer */
  person: openPerson,
  /** @param {string} id of a group */
  groupDetails: openGroup,
  me: page('me', openMe),
  network: page('network', openNetwork),
  outbox: page('outbox', openOutbox),
  doctor: page('doctor', openDoctor),
  /** @param {string} [query] */
  search: (query) => {
    if (typeof query === 'string') searchFor(query);
    showSearch();
  },
  /** @param {string} id of a message */
  life: openLife,
};
