// The connection to the daemon: requests, the stream of events, files (protocol/page.md).

import { say } from './words.js';

const HEADERS = { 'Parlance-Page': '1' };
let tab = '';

/**
 * Why a request was refused. `code` is the word of control.md, `away` if the daemon did not answer (it may have
 * performed the request), `cancelled` by the person, or `page` for a mistake of the page.
 */
class Refused extends Error {
  /** @param {string} code @param {string} message @param {Partial<Pick<API.ControlError, 'advice'|'reason'>>} more */
  constructor(code, message, { advice, reason } = {}) {
    super(message);
    this.code = code;
    this.advice = advice;
    this.reason = reason;
  }
}

/** @typedef {Refused} Refusal */

/** What was caught, as a refusal.
 * @param {unknown} error @returns {Refusal} */
export const refusalOf = (error) =>
  error instanceof Refused ? error : new Refused('page', error instanceof Error ? error.message : String(error));

/** Why it was not done, and what to do about it.
 * @param {unknown} error */
export const whyNot = (error) => {
  const { message, advice } = refusalOf(error);
  return advice ? `${message} ${advice}` : message;
};

/** A hint that is shown while the daemon is away. */
export const comesBack = () => say('The page goes on by itself as soon as it does.');

const away = () => new Refused('away', say('The daemon does not answer.'), { advice: comesBack() });

/**
 * Asks the daemon.
 * @template {keyof API.Methods} M
 * @param {M} method of control.md
 * @param {API.Methods[M]['params']} [params] members that are undefined are left out
 * @param {{keepalive?: boolean, signal?: AbortSignal}} [options]
 * @returns {Promise<API.Methods[M]['result']>} throws a Refusal
 */
export const call = async (method, params = {}, options = {}) => {
  let answer;
  try {
    const response = await fetch('/rpc', {
      method: 'POST',
      headers: tab ? { ...HEADERS, 'Parlance-Tab': tab } : HEADERS,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      ...options,
    });
    answer = await response.json();
  } catch {
    throw away();
  }
  if (!answer.error) return answer.result;
  const { message, data, code, advice } = answer.error;
  throw new Refused(data?.code ?? String(code), message, data ?? { advice });
};

/** Whether the page has a stream, which `idle` and `shows` need. */
export const hasTab = () => tab !== '';

/**
 * @typedef {object} Handlers
 * @property {API.Listener} event
 * @property {(isNew: boolean) => void} open the stream is there; isNew: read everything (first time, gap, other run)
 * @property {(problem?: 'cookie') => void} away the stream is broken; cookie: this browser needs a new launch link
 */

/** @typedef {{last: string, run: string, isNew: boolean}} Seen the last event and its run of the daemon */

/**
 * Follows the daemon's events for ever. A stream that breaks is resumed after the last event received.
 * @param {Handlers} handlers
 */
export const listen = async (handlers) => {
  const seen = { last: '', run: '', isNew: true };
  for (let failures = 0; ; ) {
    const patience = new AbortController();
    try {
      const headers = seen.last ? { ...HEADERS, 'Last-Event-ID': seen.last } : HEADERS;
      const response = await fetch('/events', { headers, signal: patience.signal });
      if (response.status === 401) handlers.away('cookie');
      if (!response.ok || !response.body) throw new Error(String(response.status));
      failures = 0;
      await follow(response.body, seen, handlers, patience);
    } catch {
      // Told below.
    }
    tab = '';
    handlers.away();
    failures += 1;
    await new Promise((done) => setTimeout(done, Math.min(200 * 2 ** failures, 3000)));
  }
};

/** Reads one stream to its end. A comment comes every 15 s, so a stream that is silent for 40 s is dead.
 * @param {ReadableStream<Uint8Array>} body
 * @param {Seen} seen @param {Handlers} handlers @param {AbortController} patience */
const follow = async (body, seen, handlers, patience) => {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const timer = setTimeout(() => patience.abort(), 40_000);
    const { value, done } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) take(block, seen, handlers);
  }
};

/** @param {string} block @param {Seen} seen @param {Handlers} handlers */
const take = (block, seen, handlers) => {
  /** @type {Record<string, string|undefined>} */
  const event = {};
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) event[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
  }
  if (event.id) seen.last = event.id;
  if (!event.event) return;
  const data = JSON.parse(event.data || '{}');
  if (event.event === 'hello') {
    tab = data.tab;
    const isNew = seen.isNew || seen.run !== data.run || !seen.last;
    Object.assign(seen, { run: data.run, isNew: false });
    handlers.open(isNew);
  } else if (event.event === 'gap') handlers.open(true);
  else handlers.event(.../** @type {Parameters<API.Listener>} */ ([event.event, data]));
};

/**
 * Uploads a file to the daemon.
 * @param {Blob} file
 * @param {string} name
 * @param {(part: number) => void} onProgress from 0 to 1
 * @param {AbortSignal} [signal]
 * @returns {Promise<API.FileToSend & {size: number, notes?: string[]}>}
 */
export const upload = (file, name, onProgress, signal) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/files?name=${encodeURIComponent(name)}`);
    request.setRequestHeader('Parlance-Page', '1');
    request.responseType = 'json';
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onload = () => {
      const { error, ...result } = request.response ?? { error: {} };
      if (request.status < 400 && !error) resolve(result);
      else reject(new Refused(error?.code ?? 'away', error?.message ?? away().message, { advice: error?.advice }));
    };
    request.onerror = () => reject(away());
    request.onabort = () => reject(new Refused('cancelled', say('Cancelled.')));
    signal?.addEventListener('abort', () => request.abort());
    request.send(file);
  });

/** The address of a file on the shelf.
 * @param {string} file its ID @param {string} name */
export const fileURL = (file, name) => `/files/${file}?name=${encodeURIComponent(name)}`;
