// The outbox: waiting messages, for whom and why, the next attempt, and buttons to retry or cancel.

import { h, icon, iconButton } from './dom.js';
import { peopleNames, plainName } from './names.js';
import { ask, button, painter, readOn } from './parts.js';
import { confirmSheet, openPage, showConversation, toast } from './view.js';
import { ago, fullTime, say } from './words.js';
import { openLife } from './life.js';
import { label } from './labels.js';

/** @param {API.OutboxItem} item */
const forWhom = (item) => {
  if (item.final && item.group) return plainName(item.group);
  const names = peopleNames(item.recipients, item.waitsFor ?? item.recipients.length);
  return item.group ? label.inPlace(names, plainName(item.group)) : names;
};

/** @param {API.OutboxItem} item @param {() => void} read */
const retry = async (item, read) => {
  const message = await ask('outbox.retry', { id: item.id });
  if (message) toast(say('Trying again now.'));
  read();
};

/** @param {API.OutboxItem} item @param {() => void} read */
const cancel = async (item, read) => {
  if (item.final) {
    const isSure = await confirmSheet({ title: say('Remove this message?'), text: item.preview, action: say('Remove'), danger: true });
    if (isSure) await ask('outbox.cancel', { id: item.id });
    return read();
  }
  const isSure = await confirmSheet({ title: say('Cancel this message?'), text: item.preview, action: say('Cancel the message'), danger: true });
  if (!isSure) return;
  const message = await ask('outbox.cancel', { id: item.id });
  if (message) {
    toast(message.status === 'sent'
      ? say('Cancelled. A courier has it already and may hand it over before it hears of this.')
      : say('Cancelled. It will not be sent any more.'));
  }
  read();
};

const row = (/** @type {() => void} */ read) => (/** @type {API.OutboxItem} */ item) => {
  const isFailed = item.status === 'failed';
  const message = item.about ?? item.id;
  return h('li.card', null,
    h('p', { dir: 'auto' }, h('strong', null, forWhom(item))),
    h('p.excerpt', { dir: 'auto' }, item.preview || label.noText()),
    h('p.why', { class: isFailed ? 'failed' : '' }, icon(isFailed ? 'warn' : 'clock'), h('span', { dir: 'auto' }, item.why)),
    h('p.help', null, say('Written {1}.', ago(item.since)), ' ', item.final ? say('It can no longer be sent.')
      : item.nextTry ? h('span', { title: fullTime(item.nextTry) }, say('Next try {1}.', ago(item.nextTry))) : say('It goes on by itself as soon as somebody is there.')),
    h('div.buttons', null,
      !item.final && button(say('Try now'), () => retry(item, read), { symbol: 'retry', 'data-key': `retry ${item.id}` }),
      !item.kind && button(item.final ? say('Remove') : label.cancel(), () => cancel(item, read), { symbol: 'close', 'data-key': `cancel ${item.id}` }),
      button(say('Show it'), () => showConversation(item.conversation, { message }), { symbol: 'forward', 'data-key': `show ${item.id}` }),
      !item.kind && button(say('Its way'), () => openLife(item.id), { symbol: 'network', 'data-key': `life ${item.id}` })));
};

/** The page of the outbox. */
export const openOutbox = () => {
  const place = h('div.stack.narrow');
  const paint = painter(place, (/** @type {API.OutboxReply} */ { items, total, failed = 0 }) => (items.length ? [
    h('p', { role: 'status' }, total === failed ? say('Nothing waits.') : total - failed === 1 ? say('1 message or change waits. It is kept on this computer and sent by itself.')
      : say('{1} messages and changes wait. They are kept on this computer and sent by themselves.', total - failed)),
    h('ul.stack', null, items.map(row(() => read()))),
    total > items.length && h('p.help', null, label.more(total - items.length)),
  ] : h('div.empty', null, icon('check'), h('p', { role: 'status' }, say('Nothing waits.')))));
  const read = async () => {
    const outbox = await ask('outbox');
    if (outbox) paint({ ...outbox, items: outbox.items.slice(0, 200) });
  };
  let end = () => {};
  openPage(label.outbox(), place, { onLeave: () => end(), tools: [iconButton('retry', say('Read again'), read)] });
  end = readOn(['status', 'reached', 'failed', 'message', 'changed', 'withdrawn', 'peer', 'presence'], read);
};
