// The words for people: sentences in the person's language, times and sizes as people there write them.

/** @type {Record<string, string>} */
let words = {};
let locale = 'en';
/** @type {Map<string, unknown>} */
const formats = new Map();

/** Loads the sentences; called once, before anything is shown. */
export const loadWords = async () => {
  let language = 'en';
  try {
    const kept = sessionStorage.getItem('words');
    const told = await fetch('/words').then((answer) => (answer.ok ? answer.json() : Promise.reject())).catch(() => JSON.parse(kept ?? 'null'));
    ({ language, words } = told);
    sessionStorage.setItem('words', JSON.stringify(told));
  } catch {
    // The sentences of the code.
  }
  locale = navigator.languages.find((tag) => tag.toLowerCase().startsWith(language)) ?? language;
  document.documentElement.lang = language;
};

/**
 * A sentence in the person's language: say('(deleted by {1})', name). The English text is the key, a literal.
 * @param {string} key
 * @param {...(string|number)} values
 * @returns {string}
 */
export const say = (key, ...values) =>
  (words[key] ?? key).replace(/\{(\d)\}/g, (all, number) => (values[number - 1] ?? all).toString());

/**
 * What writes a kind of values with some options; made once, because that takes long.
 * @template Options, Format
 * @param {new (locale: string, options: Options) => Format} kind
 * @param {Options} options
 */
const format = (kind, options) => {
  const key = kind.name + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new kind(locale, options));
  return /** @type {Format} */ (formats.get(key));
};

/** A number as people write it.
 * @param {number} value */
export const number = (value) => format(Intl.NumberFormat, {}).format(value);

/** A list of names: "Ada, Bob and Cleo".
 * @param {string[]} names */
export const listing = (names) => format(Intl.ListFormat, { type: 'conjunction' }).format(names);

/** The time of day: "10:29".
 * @param {string|number|Date} date */
export const clock = (date) => format(Intl.DateTimeFormat, { hour: '2-digit', minute: '2-digit' }).format(new Date(date));

/** @param {string|number|Date} date */
const midnight = (date) => new Date(date).setHours(0, 0, 0, 0);

/** The number of calendar days since a date.
 * @param {string|number|Date} date */
const daysAgo = (date) => Math.round((midnight(Date.now()) - midnight(date)) / 86_400_000);

/** The day for a heading: "Today", "Yesterday", "Friday, 13 November".
 * @param {string|number|Date} date */
export const day = (date) => {
  const ago = daysAgo(date);
  if (ago === 0) return say('Today');
  if (ago === 1) return say('Yesterday');
  const isThisYear = new Date(date).getFullYear() === new Date().getFullYear();
  const year = isThisYear ? undefined : 'numeric';
  return format(Intl.DateTimeFormat, { weekday: 'long', day: 'numeric', month: 'long', year }).format(new Date(date));
};

/** A short time for lists: "10:29", "Yesterday", "Tue", "13 Nov".
 * @param {string|Date} date */
export const when = (date) => {
  const ago = daysAgo(date);
  if (ago <= 0) return clock(date);
  if (ago === 1) return day(date);
  if (ago < 7) return format(Intl.DateTimeFormat, { weekday: 'short' }).format(new Date(date));
  const isThisYear = new Date(date).getFullYear() === new Date().getFullYear();
  /** @type {Intl.DateTimeFormatOptions} */
  const options = isThisYear ? { day: 'numeric', month: 'short' } : { dateStyle: 'short' };
  return format(Intl.DateTimeFormat, options).format(new Date(date));
};

/** A day, or a day and a time, without a year: "Fri, 6 Mar", "Fri, 6 Mar, 12:00".
 * @param {string} date `2026-03-06T12:00` */
export const dayOf = (date) => {
  const isTimed = date.includes('T');
  const digits = isTimed ? '2-digit' : undefined;
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { weekday: 'short', day: 'numeric', month: 'short', hour: digits, minute: digits };
  return format(Intl.DateTimeFormat, options).format(new Date(isTimed ? date : `${date}T00:00`));
};

/** A whole time: "25 Nov 2026, 10:29".
 * @param {string|Date} date */
export const fullTime = (date) =>
  format(Intl.DateTimeFormat, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(date));

/** @type {[number, Intl.RelativeTimeFormatUnit][]} */
const SPANS = [[60, 'minute'], [60, 'hour'], [24, 'day'], [7, 'week'], [4.35, 'month'], [12, 'year']];

/** How long ago: "5 minutes ago", "in 3 seconds".
 * @param {string|Date} date */
export const ago = (date) => {
  let value = (new Date(date).getTime() - Date.now()) / 1000;
  /** @type {Intl.RelativeTimeFormatUnit} */
  let unit = 'second';
  for (const [length, next] of SPANS) {
    if (Math.abs(value) < length) break;
    value /= length;
    unit = next;
  }
  return format(Intl.RelativeTimeFormat, { numeric: 'auto' }).format(Math.round(value), unit);
};

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** A number of bytes: "999 B", "1.2 MiB".
 * @param {number} bytes */
export const size = (bytes) => {
  if (bytes < 1024) return `${bytes} B`;
  let value = bytes / 1024;
  let unit = 0;
  for (; value >= 1023.5 && unit < UNITS.length - 1; unit += 1) value /= 1024;
  const digits = value < 9.95 ? 1 : 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${format(Intl.NumberFormat, options).format(value)} ${UNITS[unit]}`;
};

/** @type {[number, string][]} */
const PERIODS = [[86_400, 'day'], [3_600, 'hour'], [60, 'minute'], [1, 'second']];

/** A length of time: "30 days", "8 hours".
 * @param {number} seconds */
export const period = (seconds) => {
  const [length, unit] = PERIODS.find(([one]) => seconds >= one && seconds % one === 0) ?? PERIODS[3];
  return format(Intl.NumberFormat, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length);
};
