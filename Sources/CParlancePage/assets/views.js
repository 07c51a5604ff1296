// The views besides the chat, as actions for menus, buttons and addresses. Their modules are loaded once the chat is
// there, or when a view is opened before that.

import { complain, goTo } from './view.js';
import { say } from './words.js';

const modules = {
  assistant: () => import('./assistant.js'),
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

const loaded = new Map();
const load = async (name) => {
  const module = await modules[name]();
  loaded.set(name, module);
  return module;
};

/** Loads all of them, so that they are there if the daemon stops.
 * @returns {Promise<unknown>} when that is over */
export const loadViews = () => Promise.allSettled(Object.keys(modules).map(load));

let asked = 0;

/** After this a view that is still being loaded stays closed: something else is shown. */
export const forgetViews = () => { asked += 1; };

/**
 * Opens a view: at once if its module is there, so that the keys pressed next reach it; else when it is loaded, if nothing
 * else was asked for meanwhile.
 * @template {keyof typeof modules} Name
 * @param {Name} name of the module
 * @param {(module: Awaited<ReturnType<typeof modules[Name]>>, ...args: any[]) => void} open
 */
const view = (name, open) => async (...args) => {
  const mine = (asked += 1);
  let module = loaded.get(name);
  try {
    module ??= await load(name);
  } catch {
    return complain({ message: say('This view cannot be loaded.'), advice: say('Load the page again when the daemon runs.') });
  }
  if (mine === asked) open(module, ...args);
};

/**
 * Shows a page whose address has the name of its module.
 * @template {keyof typeof modules} Name
 * @param {Name} name
 * @param {(module: Awaited<ReturnType<typeof modules[Name]>>) => void} open
 */
const page = (name, open) => {
  const show = view(name, open);
  return () => {
    if (location.hash === `#/${name}`) show();
    else goTo(`#/${name}`);
  };
};

let query = null;
const showSearch = page('search', (module) => {
  if (query !== null) module.searchFor(query);
  query = null;
  module.openSearch();
});

const openNew = view('people', (module) => module.openNew());

/** @enum {(...values: any[]) => void} */
export const actions = {
  /** The sheet that starts a conversation; its address shows the list under it. */
  newConversation: () => {
    if (location.hash === '#/new') {
      history.replaceState(null, '', '#/');
      goTo('#/');
    }
    openNew();
  },
  assistant: page('assistant', (module) => module.openAssistant()),
  /** @param {API.ConversationInfo} conversation */
  assistantOf: view('assistant', (module, conversation) => module.openAssistantOf(conversation)),
  people: page('people', (module) => module.openPeople()),
  /** @param {string} id of a peer */
  person: view('person', (module, id) => module.openPerson(id)),
  /** @param {string} id of a group */
  groupDetails: view('groups', (module, id) => module.openGroup(id)),
  me: page('me', (module) => module.openMe()),
  network: page('network', (module) => module.openNetwork()),
  outbox: page('outbox', (module) => module.openOutbox()),
  doctor: page('doctor', (module) => module.openDoctor()),
  /** @param {string} [text] to search for */
  search: (text) => {
    if (typeof text === 'string') query = text;
    showSearch();
  },
  /** @param {string} id of a message */
  life: view('life', (module, id) => module.openLife(id)),
};
