// The settings of the running node, with their meaning, and the command that changes each: the daemon does not write its configuration file.

import { h } from './dom.js';
import { ask, card, copyButton, painter, readOn } from './parts.js';
import { say } from './words.js';

/** @param {API.SettingInfo} setting @param {string[]} value */
const shown = (setting, value) => (value.length ? value.join(', ') : setting.list ? say('(empty)') : say('(not set)'));

const quoted = (/** @type {string} */ text) => (/^[\w.:@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** @param {API.SettingInfo} setting */
const facts = (setting) => [
  setting.allowed && say('One of {1}.', setting.allowed.join(', ')),
  setting.origin === 'default' ? say('This is the default.')
    : `${say('From {1}.', setting.place ?? setting.origin)} ${say('Default: {1}.', shown(setting, setting.default))}`,
  setting.pending && say('After a restart: {1}.', shown(setting, setting.pending)),
  setting.effect === 'reload' ? say('A change takes effect at once.') : say('A change needs a restart.'),
].filter(Boolean).join(' ');

/** @param {API.SettingInfo} setting */
const row = (setting) => {
  const value = setting.value.length ? setting.value.map(quoted).join(' ') : say('VALUE');
  const command = say('parlance config set {1} {2}', setting.key, value);
  return h('details.setting', { 'data-key': setting.key },
    h('summary', null, h('span.mono', null, setting.key), h('span.value.cut', { dir: 'auto' }, shown(setting, setting.value))),
    h('p', null, setting.meaning), h('p.help', null, facts(setting)),
    h('p.command', null, h('code', null, command), copyButton(command, say('Copy the command'))));
};

/** The card with all settings.
 * @param {(end: () => void) => void} leave gets what ends it */
export const settingsCard = (leave) => {
  const place = h('div');
  const paint = painter(place, (/** @type {API.ConfigInfo} */ config) => [config.settings.map(row), h('p.help', null, say('Configuration file: {1}', config.file))]);
  leave(readOn([], async () => {
    const config = await ask('config.list');
    if (config) paint(config);
  }));
  return card(say('Settings'), h('p.help', null, say('These are changed by a command in a terminal, because the daemon does not write its configuration file itself. Open one to see its meaning and the command.')), place);
};
