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
    await Promise.all(requests.slice(first, first + TOGETHER).map(request => keepFile(cache, request)))
  // A newer version waits until no page of the one before is open: what such a page still fetches is in no other.
  if (!worker.registration.active) await worker.skipWaiting()
}

// Some hosts redirect from `arena.html` to `arena`, and browsers do not open a page with a stored response that was
// redirected. A copy of the response was not.
/** @param {Cache} cache @param {Request} request */
async function keepFile(cache, request) {
  const response = await fetch(request)
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  const {body, headers, redirected} = response
  await cache.put(request, redirected ? new Response(body, {headers}) : response)
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
  // On a host that redirects, addresses of pages lack the ending of their files.
  return (await cache.match(address)) ?? (await cache.match(`${address}.html`)) ?? fetch(request)
}
