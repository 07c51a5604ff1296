// The offline shell: while the daemon does not run, the page opens all the same, and says so and how to start it.
// Nothing of people's is kept here, only the page's own files.

const NAME = 'parlance-page';
const KEPT = /\.(js|css|svg|webmanifest)$/;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// The page names what it loaded before this worker was there.
self.addEventListener('message', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(NAME);
    await Promise.all(event.data.filter(isOfPage).map((path) => cache.add(path).catch(() => {})));
  })());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (isOfPage(pathname)) event.respondWith(fresh(request, pathname));
});

const isOfPage = (path) => path === '/' || path === '/words' || KEPT.test(path);

/** From the daemon, and what it gave before if it does not answer. */
const fresh = async (request, path) => {
  const cache = await caches.open(NAME);
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.type === 'basic') await cache.put(path, answer.clone());
    return answer;
  } catch {
    return (await cache.match(path)) ?? Response.error();
  }
};
