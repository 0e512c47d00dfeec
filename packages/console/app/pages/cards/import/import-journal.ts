import type { FieldMapping } from './import-fields.ts'
import type { ImportJournal, JournalEntry } from './import-run.ts'

/** What is remembered about a file, so that its import can continue after a reload. */
export interface StoredImport {
  readonly mapping: FieldMapping
  /** How often the file has been imported on purpose before; a part of the keys. */
  readonly round: number
  /** When it was imported completely, in milliseconds since the epoch; 0 if it was not. */
  readonly finishedAt: number
}

/** The storage of imports. */
export interface ImportStorage extends ImportJournal {
  readImport(id: string): Promise<StoredImport | undefined>
  writeImport(id: string, stored: StoredImport): Promise<void>
}

const DATABASE = 'mintmark-imports'
const VERSION = 1
const CALLS = 'calls'
const IMPORTS = 'imports'

/** Opens the storage of imports in IndexedDB. */
export async function openImportStorage(): Promise<ImportStorage> {
  const request = indexedDB.open(DATABASE, VERSION)
  request.onupgradeneeded = () => {
    request.result.createObjectStore(CALLS)
    request.result.createObjectStore(IMPORTS)
  }
  const database = await waitFor(request)
  database.onversionchange = () => database.close()

  async function read<Value>(store: string, key: string): Promise<Value | undefined> {
    return await waitFor<Value | undefined>(database.transaction(store).objectStore(store).get(key))
  }

  function write(store: string, key: string, value: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      // What was sent must be stored before it is sent, also if the browser crashes then.
      const transaction = database.transaction(store, 'readwrite', { durability: 'strict' })
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('The storage of the browser failed'))
      transaction.objectStore(store).put(value, key)
    })
  }

  return {
    read: (key) => read<JournalEntry>(CALLS, key),
    write: (entry) => write(CALLS, entry.key, entry),
    readImport: (id) => read<StoredImport>(IMPORTS, id),
    writeImport: (id, stored) => write(IMPORTS, id, stored),
  }
}

function waitFor<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The storage of the browser failed'))
  })
}
