import { waitForRequest, waitForTransaction } from '../../../api/indexed-db.ts'
import type { FieldMapping } from './import-fields.ts'
import type { ImportJournal, JournalEntry } from './import-run.ts'
import type { RowHistory, SentRow } from './row-history.ts'

/** What is remembered about a file, so that its import can continue after a reload. */
export interface StoredImport {
  /** The lines that are left out because equal rows were sent before. Absent until the import begins. */
  readonly skipped?: readonly number[] | undefined
  readonly mapping: FieldMapping
  /** How often the file has been imported on purpose before; a part of the keys. */
  readonly round: number
  /** When it was imported completely, in milliseconds since the epoch; 0 if it was not. */
  readonly finishedAt: number
}

/** The storage of imports. */
export interface ImportStorage extends ImportJournal {
  readonly history: RowHistory
  readImport(id: string): Promise<StoredImport | undefined>
  writeImport(id: string, stored: StoredImport): Promise<void>
}

const DATABASE = 'mintmark-imports'
const VERSION = 2
const CALLS = 'calls'
const IMPORTS = 'imports'
/** The places of sent rows, by digest. */
const ROWS = 'rows'

/** Opens the storage of imports in IndexedDB. */
export async function openImportStorage(): Promise<ImportStorage> {
  const request = indexedDB.open(DATABASE, VERSION)
  request.onupgradeneeded = () => {
    const { result } = request
    const missing = [CALLS, IMPORTS, ROWS].filter((name) => !result.objectStoreNames.contains(name))
    for (const name of missing) result.createObjectStore(name)
  }
  const database = await waitForRequest(request)
  database.onversionchange = () => database.close()

  async function read<Value>(store: string, key: string): Promise<Value | undefined> {
    return await waitForRequest<Value | undefined>(database.transaction(store).objectStore(store).get(key))
  }

  function write(store: string, key: string, value: unknown): Promise<void> {
    // What was sent must be stored before it is sent, also if the browser crashes then.
    const transaction = database.transaction(store, 'readwrite', { durability: 'strict' })
    transaction.objectStore(store).put(value, key)
    return waitForTransaction(transaction)
  }

  return {
    history: openRowHistory(database),
    read: (key) => read<JournalEntry>(CALLS, key),
    write: (entry) => write(CALLS, entry.key, entry),
    readImport: (id) => read<StoredImport>(IMPORTS, id),
    writeImport: (id, stored) => write(IMPORTS, id, stored),
  }
}

/** Opens the history of rows. Adding and removing a row twice has the effect of once. */
function openRowHistory(database: IDBDatabase): RowHistory {
  function update(
    rows: readonly SentRow[],
    change: (places: readonly string[], place: string) => readonly string[],
  ): Promise<void> {
    const byDigest = new Map<string, SentRow[]>()
    for (const row of rows) byDigest.set(row.digest, [...(byDigest.get(row.digest) ?? []), row])
    // What was sent must be remembered before it is sent, also if the browser crashes then.
    const transaction = database.transaction(ROWS, 'readwrite', { durability: 'strict' })
    const store = transaction.objectStore(ROWS)
    for (const [digest, group] of byDigest) {
      const request: IDBRequest<readonly string[] | undefined> = store.get(digest)
      request.onsuccess = () => {
        const before = request.result ?? []
        store.put(
          group.reduce((places, { place }) => change(places, place), before),
          digest,
        )
      }
    }
    return waitForTransaction(transaction)
  }

  return {
    async isEmpty() {
      return (await waitForRequest(database.transaction(ROWS).objectStore(ROWS).count())) === 0
    },
    add: (rows) => update(rows, (places, place) => (places.includes(place) ? places : [...places, place])),
    remove: (rows) => update(rows, (places, place) => places.filter((each) => each !== place)),
    async listPlaces(digests) {
      const store = database.transaction(ROWS).objectStore(ROWS)
      const entries = [...new Set(digests)].map(async (digest) => {
        const places = await waitForRequest<readonly string[] | undefined>(store.get(digest))
        return [digest, places ?? []] as const
      })
      return new Map(await Promise.all(entries))
    },
  }
}
