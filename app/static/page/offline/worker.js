// Keeps a whole static copy of the site in the browser, for reading without a network. `make site` writes this file beside the
// pages, with the version of the copy, if SKIP_OFFLINE asks for it; a page registers it when its reader says so.
const VERSION = 'VERSION'
const PREFIX = 'site-'
const TOGETHER = 24 // files that are fetched at a time

/** @typedef {{waitUntil(work: Promise<unknown>): void}} LastingEvent */
/** @typedef {LastingEvent & {request: Request, respondWith(answer: Promise<Response>): void}} FetchEvent */
/** @type {any} what TypeScript calls a ServiceWorkerGlobalScope, whose types do not go together with those of pages */
const worker = globalThis

worker.addEventListener('install', (/** @type {LastingEvent} */ event) => event.waitUntil(keep()))
worker.addEventListener('activate', (/** @type {LastingEvent} */ event) => event.waitUntil(takeOver()))
worker.addEventListener('fetch', (/** @type {FetchEvent} */ event) => {
  const {method, url} = event.request
  if (method === 'GET' && url.startsWith(worker.registration.scope)) event.respondWith(answered(event.request))
})

async function keep() {
  const /** @type {{files: string[]}} */ {files} = await (await fetch('offline.json', {cache: 'no-store'})).json()
  const cache = await caches.open(PREFIX + VERSION)
  // A file that the browser has from before may be that of another version.
  const requests = files.map(file => new Request(file, {cache: 'no-cache'}))
  for (let first = 0; first < files.length; first += TOGETHER)
    await cache.addAll(requests.slice(first, first + TOGETHER))
  // A newer version waits until no page of the one before is open: what such a page still fetches is in no other.
  if (!worker.registration.active) await worker.skipWaiting()
}

async function takeOver() {
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== PREFIX + VERSION) await caches.delete(name)
  await worker.clients.claim()
}

/** @param {Request} request */
async function answered(request) {
  const cache = await caches.open(PREFIX + VERSION)
  // Settings of figures are in the query; they make no other file.
  const {origin, pathname} = new URL(request.url)
  const address = `${origin}${pathname}${pathname.endsWith('/') ? 'index.html' : ''}`
  return (await cache.match(address)) ?? fetch(request)
}
