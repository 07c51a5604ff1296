// The views beside the chat, as actions that menus, buttons and addresses call. Their modules are loaded when the chat is
// there, or when a view is opened before that.

import { complain } from './view.js';
import { say } from './words.js';

const modules = {
  doctor: () => import('./doctor.js'),
  groups: () => import('./groups.js'),
  life: () => import('./life.js'),
  me: () => import('./me.js'),
  network: () => import('./network.js'),
  outbox: () => import('./outbox.js'),
  people: () => import('./people.js'),
  person: () => import('./person.js'),
  search: () => import('./search.js'),
};

/** Loads all of them, so that they are there if the daemon stops. */
export const loadViews = () => { for (const load of Object.values(modules)) load().catch(() => {}); };

let asked = 0;

/** A conversation is shown: a view that is still being loaded stays closed. */
export const forgetViews = () => { asked += 1; };

/**
 * Opens a view once its module is there, if nothing else was asked for meanwhile.
 * @param {() => Promise<object>} load
 * @param {(module: object, ...args: unknown[]) => void} open
 */
const view = (load, open) => async (...args) => {
  const mine = (asked += 1);
  let module;
  try {
    module = await load();
  } catch {
    return complain({ message: say('This view cannot be loaded.'), advice: say('It can be when the daemon runs again.') });
  }
  if (mine === asked) open(module, ...args);
};

/** Shows a page that has an address. */
const page = (name, load, open) => {
  const show = view(load, open);
  return () => {
    if (location.hash === `#/${name}`) show();
    else location.hash = `#/${name}`;
  };
};

let query = null;
const showSearch = page('search', modules.search, (module) => {
  if (query !== null) module.searchFor(query);
  query = null;
  module.openSearch();
});

const openNew = view(modules.people, (module) => module.openNew());

export const actions = {
  /** The sheet that starts a conversation; its address shows the list behind it. */
  newConversation: () => {
    if (location.hash === '#/new') location.replace('#/');
    openNew();
  },
  people: page('people', modules.people, (module) => module.openPeople()),
  /** @param {string} id of a peer */
  person: view(modules.person, (module, id) => module.openPerson(id)),
  /** @param {string} id of a group */
  groupDetails: view(modules.groups, (module, id) => module.openGroup(id)),
  me: page('me', modules.me, (module) => module.openMe()),
  network: page('network', modules.network, (module) => module.openNetwork()),
  outbox: page('outbox', modules.outbox, (module) => module.openOutbox()),
  doctor: page('doctor', modules.doctor, (module) => module.openDoctor()),
  /** @param {string} [text] to search for */
  search: (text) => {
    if (typeof text === 'string') query = text;
    showSearch();
  },
  /** @param {string} id of a message */
  life: view(modules.life, (module, id) => module.openLife(id)),
};
