// Starts the page.

import { loadWords } from './words.js';

await loadWords();
// What has words of its own is loaded once the words are there.
await import('./chat.js');
