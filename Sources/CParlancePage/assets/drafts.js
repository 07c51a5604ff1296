// Drafts, one for each conversation, kept in this browser.

const PREFIX = 'draft:';
const MOST = 100;

/**
 * @typedef {{text: string, reply?: string, edit?: string, before?: string, beforeReply?: string, at?: number}} Draft
 * reply, edit: the ID of the message that is answered or edited; before, beforeReply: restored after the edit
 */

/** @param {string} id of the conversation @returns {Draft|null} */
export const draftOf = (id) => {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + id) ?? 'null');
  } catch {
    return null;
  }
};

/** @param {string} id of the conversation @param {Draft} draft an empty one is forgotten */
export const keepDraft = (id, draft) => {
  const before = draftOf(id);
  try {
    if (!draft.text && !draft.reply && !draft.edit) localStorage.removeItem(PREFIX + id);
    else localStorage.setItem(PREFIX + id, JSON.stringify({ ...draft, at: Date.now() }));
    if (!before) shorten();
  } catch {
    // The browser stores nothing: the text is still in the field.
  }
  if (Boolean(before?.text) !== Boolean(draft.text)) dispatchEvent(new Event('draft'));
};

const shorten = () => {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  if (keys.length <= MOST) return;
  const age = (/** @type {string} */ key) => JSON.parse(localStorage.getItem(key) ?? '{}').at ?? 0;
  for (const key of keys.sort((a, b) => age(a) - age(b)).slice(0, keys.length - MOST)) localStorage.removeItem(key);
};
