import type { MembershipAction, Scan } from './scan.ts'
import type { ScanStorage } from './scan-queue.ts'

/** What a scanner remembers. */
export interface ScannerSettings {
  /** The id of this browser, which is a part of each request. */
  readonly device: string
  /** The store where cards are presented; `''` for none. */
  readonly store: string
  readonly membershipAction: MembershipAction
  readonly isMuted: boolean
}

/** The storage of a scanner: its scans, and its settings. */
export interface ScannerStorage extends ScanStorage {
  /** Lists the newest scans of a project, newest first. */
  listNewest(projectId: number, count: number): Promise<readonly Scan[]>
  /** Reads the settings. The first time, they have a new device id. */
  readSettings(projectId: number): Promise<ScannerSettings>
  writeSettings(projectId: number, settings: ScannerSettings): Promise<void>
}

const DATABASE = 'mintmark-scanner'
const VERSION = 1
const SCANS = 'scans'
const SETTINGS = 'settings'
const BY_STATE = 'state'

/** Opens the storage of a scanner in IndexedDB, which all tabs of the browser share. */
export async function openScannerStorage(): Promise<ScannerStorage> {
  const database = await openDatabase()
  const read = (name: string) => database.transaction(name, 'readonly').objectStore(name)
  async function change<Result>(
    name: string,
    run: (store: IDBObjectStore) => Promise<Result>,
  ): Promise<Result> {
    // A scan must survive a crash of the phone before its request leaves.
    const transaction = database.transaction(name, 'readwrite', { durability: 'strict' })
    const [result] = await Promise.all([run(transaction.objectStore(name)), waitForTransaction(transaction)])
    return result
  }
  return {
    add: (scan) =>
      change(SCANS, async (store) => ({ ...scan, sequence: Number(await waitForRequest(store.add(scan))) })),
    replaceWaiting: (scan) => change(SCANS, (store) => replaceWaiting(store, scan)),
    listWaiting: async (projectId, code) => {
      const first = code === undefined ? [projectId, 'waiting'] : [projectId, 'waiting', code]
      // An array is greater than every other value, so the range ends behind all that begins with `first`.
      const range = IDBKeyRange.bound(first, [...first, []])
      const scans: Scan[] = await waitForRequest(read(SCANS).index(BY_STATE).getAll(range))
      return scans.toSorted((one, other) => one.sequence - other.sequence)
    },
    listNewest: (projectId, count) => listNewest(read(SCANS), projectId, count),
    prune: (projectId, keep) => change(SCANS, (store) => prune(store, projectId, keep)),
    readSettings: (projectId) => change(SETTINGS, (store) => readSettings(store, projectId)),
    writeSettings: (projectId, settings) =>
      change(SETTINGS, async (store) => {
        await waitForRequest(store.put(settings, projectId))
      }),
  }
}

async function replaceWaiting(store: IDBObjectStore, scan: Scan): Promise<Scan> {
  const stored: Scan | undefined = await waitForRequest(store.get(scan.sequence))
  if (stored !== undefined && stored.state !== 'waiting') return stored
  await waitForRequest(store.put(scan))
  return scan
}

async function readSettings(store: IDBObjectStore, projectId: number): Promise<ScannerSettings> {
  const stored: ScannerSettings | undefined = await waitForRequest(store.get(projectId))
  if (stored !== undefined) return stored
  const settings = createSettings()
  await waitForRequest(store.put(settings, projectId))
  return settings
}

function createSettings(): ScannerSettings {
  return { device: `console ${crypto.randomUUID()}`, store: '', membershipAction: 'CHECK_IN', isMuted: false }
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, VERSION)
  request.onupgradeneeded = () => {
    const scans = request.result.createObjectStore(SCANS, { keyPath: 'sequence', autoIncrement: true })
    scans.createIndex(BY_STATE, ['projectId', 'state', 'code', 'sequence'])
    request.result.createObjectStore(SETTINGS)
  }
  const database = await waitForRequest(request)
  // Another tab has a newer version of the console. It can only open the database when this one is closed.
  database.onversionchange = () => database.close()
  return database
}

async function listNewest(store: IDBObjectStore, projectId: number, count: number): Promise<readonly Scan[]> {
  const scans: Scan[] = []
  for await (const { value } of iterate(store.openCursor(null, 'prev'))) {
    const scan: Scan = value
    if (scan.projectId === projectId) scans.push(scan)
    if (scans.length === count) break
  }
  return scans
}

/** Deletes answered scans beyond the newest `keep`. */
async function prune(store: IDBObjectStore, projectId: number, keep: number): Promise<void> {
  let answered = 0
  for await (const cursor of iterate(store.openCursor(null, 'prev'))) {
    const scan: Scan = cursor.value
    if (scan.projectId !== projectId || scan.state === 'waiting') continue
    answered += 1
    if (answered > keep) cursor.delete()
  }
}

async function* iterate(request: IDBRequest<IDBCursorWithValue | null>): AsyncGenerator<IDBCursorWithValue> {
  for (;;) {
    const cursor = await waitForRequest(request)
    if (cursor === null) return
    yield cursor
    cursor.continue()
  }
}

function waitForRequest<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The storage of the browser failed'))
  })
}

function waitForTransaction(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('The storage of the browser failed'))
  })
}
