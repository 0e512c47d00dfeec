import { createSessionGateway } from '@mintmark/transport/browser'
import { createStore } from '../../components/store.ts'
import { addScans, type Scan } from './scan.ts'
import { createScanQueue, type ScanQueue } from './scan-queue.ts'
import { openScannerStorage, type ScannerSettings, type ScannerStorage } from './scan-storage.ts'
import { verifyCard } from './verify-card.ts'

/** What a scanner shows. */
export interface ScannerState {
  /** The scans of the project that this device keeps, newest first. */
  readonly scans: readonly Scan[]
  readonly settings: ScannerSettings
  /** Why scans wait. Undefined if nothing is wrong. */
  readonly problem: unknown
}

/** The scanner of a project in this tab. It goes on sending when its page is left. */
export interface Scanner {
  getState(): ScannerState
  subscribe(notify: () => void): () => void
  /** Stores the scan of a code and sends it. Rejects if it cannot be stored. */
  scan(code: string, verifier: string): Promise<Scan>
  changeSettings(settings: ScannerSettings): Promise<void>
  /** Remembers that an accepted scan was undone. */
  setUndone(scan: Scan): Promise<void>
  /** Sends what waits, at once. */
  retry(): void
}

/** A person waits at the counter, so a request without an answer is repeated soon. */
const TIMEOUT_MS = 8000
const MAX_VERIFIER_LENGTH = 128

const scanners = new Map<number, Promise<Scanner>>()

/** Opens the scanner of a project. Rejects if the browser cannot store scans. */
export function openScanner(projectId: number): Promise<Scanner> {
  const open = scanners.get(projectId) ?? createScanner(projectId)
  scanners.set(projectId, open)
  // A later attempt can succeed, for example when there is space again.
  open.catch(() => scanners.delete(projectId))
  return open
}

async function createScanner(projectId: number): Promise<Scanner> {
  const storage = await openScannerStorage()
  // The browser then deletes nothing when space is short. It may refuse, and scans are stored all the same.
  void navigator.storage?.persist?.().catch(() => false)
  const state = createStore<ScannerState>({
    scans: await storage.list(projectId),
    settings: await storage.readSettings(projectId),
    problem: undefined,
  })
  const update = (changes: Partial<ScannerState>) => state.set({ ...state.get(), ...changes })
  const channel = new BroadcastChannel(`mintmark-scanner-${projectId}`)
  function show(scan: Scan): void {
    update({ scans: addScans(state.get().scans, [scan]) })
    channel.postMessage(scan)
  }
  const queue = createQueue(projectId, storage, {
    onChange: show,
    onProblem: (problem) => update({ problem }),
  })
  channel.onmessage = ({ data }: MessageEvent<Scan>) => {
    update({ scans: addScans(state.get().scans, [data]) })
    // The other tab may end before it has sent the scan.
    if (data.state === 'waiting') queue.wake()
  }
  addEventListener('online', () => queue.wake())
  queue.wake()
  return {
    getState: state.get,
    subscribe: state.subscribe,
    scan(code, verifier) {
      const { device, store, storeId, membershipAction } = state.get().settings
      const person = verifier.slice(0, MAX_VERIFIER_LENGTH)
      return queue.add({ projectId, code, device, store, storeId, verifier: person, membershipAction })
    },
    async changeSettings(settings) {
      await storage.writeSettings(projectId, settings)
      update({ settings })
    },
    async setUndone(scan) {
      const undone = { ...scan, isUndone: true, answeredAt: Date.now() }
      await storage.replace(undone)
      show(undone)
    },
    retry: () => queue.wake(),
  }
}

interface QueueListeners {
  onChange(scan: Scan): void
  onProblem(problem: unknown): void
}

function createQueue(projectId: number, storage: ScannerStorage, listeners: QueueListeners): ScanQueue {
  // The queue repeats requests itself.
  const gateway = createSessionGateway({
    baseUrl: location.origin,
    projectId,
    retries: 0,
    timeout: TIMEOUT_MS,
  })
  return createScanQueue(projectId, {
    ...listeners,
    storage,
    send: (scan, remember, signal) => verifyCard(gateway, scan, remember, signal),
    lock: (name, run) => navigator.locks.request(name, run),
    now: Date.now,
    wait,
    createNonce: () => crypto.randomUUID(),
  })
}

/** Waits, until the signal at the latest. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
