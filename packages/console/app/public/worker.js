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
  if (origin !== location.origin) return
  if (pathname === '/console/auth/sign-out') event.respondWith(signOut(request))
  else if (request.method !== 'GET') return
  else if (request.mode === 'navigate') event.respondWith(answer(request, FILES, PAGE))
  else if (pathname === SESSION) event.respondWith(readSession(request))
  else if (pathname.startsWith('/console/assets/') || files.includes(pathname)) {
    event.respondWith(readFile(request))
  }
})

async function install() {
  const cache = await caches.open(FILES)
  await cache.addAll(files)
  // Pages that are open have loaded their scripts, which have names that change with their contents.
  await skipWaiting()
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith('mintmark-console ') && name !== FILES) await caches.delete(name)
  }
  await clients.claim()
  // The page that installed this has read the session before. Without an answer, the next page stores it.
  await readSession(new Request(SESSION, { headers: { 'x-mintmark-session': 'none' } })).catch(() => {})
}

/** Returns the server's answer, or what is stored if there is none. */
async function answer(request, cacheName, stored) {
  const signal = AbortSignal.timeout(MAX_WAIT_MS)
  const late = new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  const sent = fetch(request)
  try {
    const response = await Promise.race([sent, late])
    if (response.status < 500) return response
  } catch {
    // What is stored answers; without that, the browser shows what is wrong.
  }
  const cache = await caches.open(cacheName)
  return (await cache.match(stored, { ignoreVary: true })) ?? (await sent)
}

async function readSession(request) {
  const response = await answer(request, PERSON, SESSION)
  const cache = await caches.open(PERSON)
  if (response.ok) await cache.put(SESSION, response.clone())
  if (response.status === 401) await cache.delete(SESSION)
  return response
}

async function signOut(request) {
  const response = await fetch(request)
  await caches.delete(PERSON)
  return response
}

async function readFile(request) {
  const cache = await caches.open(FILES)
  const stored = await cache.match(request, { ignoreVary: true })
  if (stored !== undefined) return stored
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}
