// The offline shell: while the daemon does not run, the page still opens, and says how to start it. Only the page's own
// files are kept here, no data of people.

const NAME = 'parlance-page';
const KEPT = /\.(js|css|svg|webmanifest)$/;

self.addEventListener('install', (event) => {
  // Requests that are never cached bypass this worker, where the browser supports that.
  const routes = ['/rpc', '/events', '/files', '/files/*'].map((urlPattern) => ({ condition: { urlPattern }, source: 'network' }));
  event.addRoutes?.(routes).catch(() => {});
  self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// The page names the files that it loaded before this worker was there.
self.addEventListener('message', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(NAME);
    await Promise.all(event.data.filter(isOfPage).map((/** @type {string} */ path) => cache.add(path).catch(() => {})));
  })());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (isOfPage(pathname)) event.respondWith(fresh(event, pathname));
});

/** @param {string} path */
const isOfPage = (path) => path === '/' || path === '/words' || KEPT.test(path);

/** The answer of the daemon, or the cached one if it does not answer.
 * @param {WindowEventMap['fetch']} event @param {string} path */
const fresh = async (event, path) => {
  try {
    const answer = await fetch(event.request);
    if (answer.ok && answer.type === 'basic') event.waitUntil(keep(path, answer.clone()));
    return answer;
  } catch {
    return (await (await caches.open(NAME)).match(path)) ?? Response.error();
  }
};

/** Caches an answer, if it differs from the cached one.
 * @param {string} path @param {Response} answer */
const keep = async (path, answer) => {
  const cache = await caches.open(NAME);
  const tag = answer.headers.get('etag');
  const kept = tag ? await cache.match(path) : undefined;
  if (kept?.headers.get('etag') !== tag || !tag) await cache.put(path, answer);
  else answer.body?.cancel();
};
