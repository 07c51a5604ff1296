// Starts the page.

import { loadWords } from './words.js';

await loadWords();
// Modules with sentences are loaded once the sentences are there.
await import('./chat.js');
