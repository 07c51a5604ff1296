// A QR code for the text of a verification: 100 to 154 characters in alphanumeric mode, version 5, level L (ISO 18004).

import { svg } from './dom.js';

const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';
const SIZE = 37;
const DATA = 108;
const CHECK = 26;

/** @typedef {(boolean|undefined)[][]} Grid */

/** @type {number[]} */
const exp = [];
/** @type {number[]} */
const log = [];
for (let i = 0, x = 1; i < 255; i += 1, x = x & 128 ? (x << 1) ^ 0x11d : x << 1) { exp[i] = x; log[x] = i; }
/** @param {number} a @param {number} b */
const times = (a, b) => (a && b ? exp[(log[a] + log[b]) % 255] : 0);

/** The text as bits, padded to the full length.
 * @param {string} text */
const bytesOf = (text) => {
  const values = [...text].map((sign) => SIGNS.indexOf(sign));
  if (values.includes(-1) || values.length > 154) return null;
  let bits = '0010' + values.length.toString(2).padStart(9, '0');
  for (let i = 0; i < values.length; i += 2) {
    bits += i + 1 < values.length ? (values[i] * 45 + values[i + 1]).toString(2).padStart(11, '0') : values[i].toString(2).padStart(6, '0');
  }
  bits += '0000'.slice(0, DATA * 8 - bits.length);
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  const bytes = (bits.match(/.{8}/g) ?? []).map((one) => parseInt(one, 2));
  for (let i = 0; bytes.length < DATA; i += 1) bytes.push(i % 2 ? 0x11 : 0xec);
  return bytes;
};

/** The error correction bytes (Reed-Solomon).
 * @param {number[]} data */
const checkOf = (data) => {
  let generator = [1];
  for (let i = 0; i < CHECK; i += 1) generator = [...generator, 0].map((one, k) => one ^ times(k ? generator[k - 1] : 0, exp[i]));
  /** @type {number[]} */
  const rest = [...data, ...Array(CHECK).fill(0)];
  for (let i = 0; i < data.length; i += 1) {
    const factor = rest[i];
    generator.forEach((one, k) => { rest[i + k] ^= times(one, factor); });
  }
  return rest.slice(data.length);
};

/** The fixed modules; undefined is free for data. */
const fixed = () => {
  /** @type {Grid} */
  const grid = Array.from({ length: SIZE }, () => Array(SIZE));
  /** @param {number} y0 @param {number} x0 @param {number} reach */
  const square = (y0, x0, reach) => {
    for (let y = -reach; y <= reach; y += 1) for (let x = -reach; x <= reach; x += 1) {
      const ring = Math.max(Math.abs(x), Math.abs(y));
      if (grid[y0 + y] && x0 + x >= 0 && x0 + x < SIZE) grid[y0 + y][x0 + x] = reach === 4 ? ring !== 2 && ring !== 4 : ring !== 1;
    }
  };
  for (let i = 8; i < SIZE - 8; i += 1) grid[6][i] = grid[i][6] = i % 2 === 0;
  square(3, 3, 4);
  square(3, SIZE - 4, 4);
  square(SIZE - 4, 3, 4);
  square(30, 30, 2);
  return grid;
};

/** @param {Grid} grid @param {number} mask */
const putFormat = (grid, mask) => {
  let rest = (8 | mask) << 10;
  for (let i = 14; i >= 10; i -= 1) if (rest & (1 << i)) rest ^= 0x537 << (i - 10);
  const bits = ((((8 | mask) << 10) | rest) ^ 0x5412);
  for (let i = 0; i < 15; i += 1) {
    const bit = ((bits >> i) & 1) === 1;
    grid[i < 6 ? i : i < 8 ? i + 1 : SIZE - 15 + i][8] = bit;
    grid[8][i < 8 ? SIZE - 1 - i : i < 9 ? 7 : 14 - i] = bit;
  }
  grid[SIZE - 8][8] = true;
};

/** @type {((y: number, x: number) => number)[]} */
const MASKS = [
  (y, x) => (y + x) % 2, (y) => y % 2, (_, x) => x % 3, (y, x) => (y + x) % 3, (y, x) => ((y >> 1) + Math.floor(x / 3)) % 2,
  (y, x) => ((y * x) % 2) + ((y * x) % 3), (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2, (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2,
];

/** @param {number[]} bytes @param {number} mask */
const build = (bytes, mask) => {
  const grid = fixed();
  putFormat(grid, mask);
  const free = grid.map((row) => row.map((one) => one));
  let at = 0;
  for (let right = SIZE - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right = 5;
    for (let i = 0; i < SIZE; i += 1) for (const x of [right, right - 1]) {
      const y = isUp ? SIZE - 1 - i : i;
      if (free[y][x] !== undefined) continue;
      const bit = at < bytes.length * 8 && (bytes[at >> 3] >> (7 - (at & 7))) & 1;
      at += 1;
      grid[y][x] = Boolean(bit) !== (MASKS[mask](y, x) === 0);
    }
  }
  return grid;
};

/** The penalty of a pattern: long runs and squares of one colour are hard to read.
 * @param {Grid} grid */
const harm = (grid) => {
  let sum = 0;
  const runs = (/** @type {(i: number, k: number) => boolean|undefined} */ at) => {
    for (let i = 0; i < SIZE; i += 1) for (let k = 1, run = 1; k < SIZE; k += 1) {
      run = at(i, k) === at(i, k - 1) ? run + 1 : 1;
      sum += run === 5 ? 3 : run > 5 ? 1 : 0;
    }
  };
  runs((i, k) => grid[i][k]);
  runs((i, k) => grid[k][i]);
  for (let y = 1; y < SIZE; y += 1) for (let x = 1; x < SIZE; x += 1) {
    if (grid[y][x] === grid[y - 1][x] && grid[y][x] === grid[y][x - 1] && grid[y][x] === grid[y - 1][x - 1]) sum += 3;
  }
  return sum;
};

/** The code as rows of booleans, true is dark; null if the text does not fit.
 * @param {string} text */
const qrGrid = (text) => {
  const data = bytesOf(text);
  if (!data) return null;
  const bytes = [...data, ...checkOf(data)];
  return MASKS.map((_, mask) => build(bytes, mask)).reduce((best, one) => (harm(one) < harm(best) ? one : best));
};

/** The code as a drawing, or null if the text does not fit.
 * @param {string} text @param {string} label for screen readers */
export const qrDrawing = (text, label) => {
  const grid = qrGrid(text);
  if (!grid) return null;
  const path = grid.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : ''))).join('');
  return svg('svg', { class: 'qr', viewBox: `0 0 ${SIZE + 8} ${SIZE + 8}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' },
    svg('path', { d: path }));
};
