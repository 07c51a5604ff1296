// The views besides the chat, as actions for menus, buttons and addresses. Their modules are loaded once the chat is
// there, or when a view is opened before that.

import { goTo, toast } from './view.js';
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

/** @typedef {{[Name in keyof typeof modules]: Awaited<ReturnType<typeof modules[Name]>>}} Modules */

/** @type {{[Name in keyof Modules]?: Modules[Name]}} */
const loaded = {};

/** @template {keyof Modules} Name @param {Name} name */
const load = async (name) => {
  /** @type {{[Name in keyof Modules]: () => Promise<Modules[Name]>}} */
  const ways = modules;
  const module = await ways[name]();
  loaded[name] = module;
  return module;
};

/** Loads all of them, so that they are there if the daemon stops.
 * @returns {Promise<unknown>} when that is over */
export const loadViews = () =>
  Promise.allSettled(Object.keys(modules).map((name) => load(/** @type {keyof Modules} */ (name))));

let asked = 0;

/** After this a view that is still being loaded stays closed: something else is shown. */
export const forgetViews = () => { asked += 1; };

/**
 * Opens a view: at once if its module is there, so that the keys pressed next reach it; else when it is loaded, if nothing
 * else was asked for meanwhile.
 * @template {keyof Modules} Name
 * @template [About=void]
 * @param {Name} name of the module
 * @param {(module: Modules[Name], about: About) => void} open
 */
const view = (name, open) => async (/** @type {About} */ about) => {
  const mine = (asked += 1);
  /** @type {Modules[Name]} */
  let module;
  try {
    module = loaded[name] ?? await load(name);
  } catch {
    return toast(`${say('This view cannot be loaded.')} ${say('Load the page again when the daemon runs.')}`);
  }
  if (mine === asked) open(module, about);
};

/**
 * Shows a page whose address has the name of its module.
 * @template {keyof Modules} Name
 * @param {Name} name
 * @param {(module: Modules[Name]) => void} open
 */
const page = (name, open) => {
  const show = view(name, open);
  return () => {
    if (location.hash === `#/${name}`) show();
    else goTo(`#/${name}`);
  };
};

/** @type {string|null} */
let query = null;
const showSearch = page('search', (module) => {
  if (query !== null) module.searchFor(query);
  query = null;
  module.openSearch();
});

const openNew = view('people', (module) => module.openNew());

/** @enum {(...values: never[]) => void} */
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
  assistantOf: view('assistant', (module, /** @type {API.ConversationInfo} */ conversation) => module.openAssistantOf(conversation)),
  people: page('people', (module) => module.openPeople()),
  person: view('person', (module, /** @type {string} */ id) => module.openPerson(id)),
  groupDetails: view('groups', (module, /** @type {string} */ id) => module.openGroup(id)),
  me: page('me', (module) => module.openMe()),
  network: page('network', (module) => module.openNetwork()),
  outbox: page('outbox', (module) => module.openOutbox()),
  doctor: page('doctor', (module) => module.openDoctor()),
  /** @param {string} [text] to search for */
  search: (text) => {
    if (typeof text === 'string') query = text;
    showSearch();
  },
  life: view('life', (module, /** @type {string} */ id) => module.openLife(id)),
};
