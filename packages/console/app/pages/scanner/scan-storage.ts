import { waitForRequest, waitForTransaction } from '../../api/indexed-db.ts'
import type { MembershipAction, Scan, ScanState } from './scan.ts'
import type { ScanStorage } from './scan-queue.ts'

/** What a scanner remembers. */
export interface ScannerSettings {
  /** The id of this browser, which is a part of each request. */
  readonly device: string
  /** The store where cards are presented; `''` for none. */
  readonly store: string
  /** The id of this store. Undefined if the project has none with this name. */
  readonly storeId?: number | undefined
  readonly membershipAction: MembershipAction
  readonly isMuted: boolean
}

/** The storage of a scanner: its scans, and its settings. */
export interface ScannerStorage extends ScanStorage {
  /** Lists the scans of a project, newest first. */
  list(projectId: number): Promise<readonly Scan[]>
  /** Replaces a scan that has an answer. */
  replace(scan: Scan): Promise<void>
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
      const range = toRange(code === undefined ? [projectId, 'waiting'] : [projectId, 'waiting', code])
      const scans: Scan[] = await waitForRequest(read(SCANS).index(BY_STATE).getAll(range))
      return scans.toSorted((one, other) => one.sequence - other.sequence)
    },
    list: async (projectId) => {
      const scans: Scan[] = await waitForRequest(
        read(SCANS)
          .index(BY_STATE)
          .getAll(toRange([projectId])),
      )
      return scans.toSorted((one, other) => other.sequence - one.sequence)
    },
    replace: (scan) =>
      change(SCANS, async (store) => {
        await waitForRequest(store.put(scan))
      }),
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

/** Returns the range of the keys that begin with some values. An array is greater than every other value. */
function toRange(first: readonly IDBValidKey[]): IDBKeyRange {
  return IDBKeyRange.bound(first, [...first, []])
}

/** Deletes answered scans beyond the newest `keep`. Only keys are read, because the next scan waits for it. */
async function prune(store: IDBObjectStore, projectId: number, keep: number): Promise<void> {
  const listKeys = (state: ScanState) =>
    waitForRequest(store.index(BY_STATE).getAllKeys(toRange([projectId, state])))
  const answered = [await listKeys('accepted'), await listKeys('refused')].flat().map(Number)
  const old = answered.toSorted((one, other) => other - one).slice(keep)
  await Promise.all(old.map((sequence) => waitForRequest(store.delete(sequence))))
}
