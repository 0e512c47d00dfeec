// Opens the console without a connection, so that the scanner works where there is no network. The scanner
// installs it. Online, pages and the session are the server's, as without it.
importScripts('/console/offline-files.js')

/** The files of this version of the console: its page, and what the scanner loads. */
const { version, files } = self.offlineFiles
const FILES = `mintmark-console ${version}`
/** Who was signed in last on this device. It is deleted when the session ends. */
const PERSON = 'mintmark-person'
const PAGE = '/console/index.html'
const SESSION = '/admin/v1/session'
/** A network that answers no sooner counts as none. */
const MAX_WAIT_MS = 4000

addEventListener('install', (event) => {
  event.waitUntil(install())
})

addEventListener('activate', (event) => {
  event.waitUntil(activate())
})

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin || request.method !== 'GET') return
  if (request.mode === 'navigate') event.respondWith(answer(fetch(request), FILES, PAGE))
  else if (pathname === SESSION) event.respondWith(readSession(request, event))
  else if (pathname.startsWith('/console/assets/') || files.includes(pathname)) {
    event.respondWith(readFile(request))
  }
})

async function install() {
  const cache = await caches.open(FILES)
  await cache.addAll(files)
  await skipWaiting()
}

async function activate() {
  // Open pages may still load scripts of the version before. Older versions are deleted.
  const versions = (await caches.keys()).filter((name) => name.startsWith('mintmark-console '))
  for (const name of versions.filter((each) => each !== FILES).slice(0, -1)) await caches.delete(name)
  await clients.claim()
}

/** Returns the server's answer, or what is stored if there is none in time. */
async function answer(sent, cacheName, stored) {
  const signal = AbortSignal.timeout(MAX_WAIT_MS)
  const late = new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  try {
    const response = await Promise.race([sent, late])
    if (response.status < 500) return response
  } catch {
    // What is stored answers; without that, the browser shows what is wrong.
  }
  const cache = await caches.open(cacheName)
  return (await cache.match(stored, { ignoreVary: true })) ?? (await sent)
}

/** Returns who is signed in, and stores it. An answer that comes too late for the page is stored too. */
async function readSession(request, event) {
  const sent = fetch(request)
  event.waitUntil(sent.then((response) => remember(response.clone())).catch(() => {}))
  return await answer(
    sent.then((response) => response.clone()),
    PERSON,
    SESSION,
  )
}

async function remember(response) {
  const cache = await caches.open(PERSON)
  if (response.ok) await cache.put(SESSION, response)
  if (response.status === 401) await cache.delete(SESSION)
}

async function readFile(request) {
  const cache = await caches.open(FILES)
  const own = await cache.match(request, { ignoreVary: true })
  // Open pages load scripts of the version before.
  const stored = own ?? (await caches.match(request, { ignoreVary: true }))
  if (stored !== undefined) return stored
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}
