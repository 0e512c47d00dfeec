import type { Scan, ScanAnswer, ScannedCard, ScanRequest } from './scan.ts'

/** Keeps scans across reloads. Each function has taken effect when its promise is fulfilled. */
export interface ScanStorage {
  /** Stores a new scan and gives it the next `sequence`. */
  add(scan: Omit<Scan, 'sequence'>): Promise<Scan>
  /**
   * Replaces a scan that is still waiting, in one step. Returns what is stored afterwards: the other scan if
   * it was not waiting anymore.
   */
  replaceWaiting(scan: Scan): Promise<Scan>
  /** Lists the scans of a project that wait, or those of one card, oldest first. */
  listWaiting(projectId: number, code?: string): Promise<readonly Scan[]>
  /** Deletes the answered scans of a project, except the newest `keep`. */
  prune(projectId: number, keep: number): Promise<void>
}

/** What a queue needs of its surroundings. */
export interface QueueSurroundings {
  readonly storage: ScanStorage
  /**
   * Sends the request of a scan. The same scan can be sent any number of times. Throws if the answer is
   * unknown. `remember` stores the card that was found, so that later attempts use the same one.
   */
  send(scan: Scan, remember: (card: ScannedCard) => Promise<Scan>, signal: AbortSignal): Promise<ScanAnswer>
  /** Runs a function while no other tab runs one with the same name. */
  lock(name: string, run: () => Promise<void>): Promise<void>
  /** Milliseconds since the epoch. */
  now(): number
  /** Waits, until the signal at the latest. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
  createNonce(): string
  /** Called after each change of a scan, for other tabs and for the page. */
  onChange(scan: Scan): void
  /** Called when a scan has no answer, and with undefined when one has. */
  onProblem(error: unknown): void
}

/** Sends scans until each has an answer. */
export interface ScanQueue {
  /** Stores a scan, then sends it. Rejects if it cannot be stored; then it is not sent either. */
  add(request: ScanRequest): Promise<Scan>
  /**
   * Sends what waits, at once: after a reload, when the connection is back, and when another tab stored a
   * scan.
   */
  wake(): void
  /** Ends. What waits stays stored. */
  stop(): void
}

const MIN_WAIT_MS = 1000
const MAX_WAIT_MS = 15_000
/** How many cards are sent at the same time. */
const CONCURRENCY = 3
/** How many answered scans are kept, so that a card is known as used without a connection: those of a festival. */
const KEPT_SCANS = 10_000

/**
 * Creates the queue of a project's scans. A scan is stored with its nonce before it is sent, and sent with
 * this nonce until the server answers, also by another tab or after a reload. The server redeems once for
 * each nonce, so no scan is lost and none counts twice. The scans of one card are sent in their order, each
 * after the answer to the one before.
 */
export function createScanQueue(projectId: number, surroundings: QueueSurroundings): ScanQueue {
  const { storage, send, lock, now, wait, createNonce, onChange, onProblem } = surroundings
  const ended = new AbortController()
  let pause = new AbortController()
  let isRunning = false
  let isWoken = false
  /** The cards that had no answer when they were last sent, the oldest attempt first. */
  const unanswered = new Set<string>()

  async function replace(scan: Scan): Promise<Scan> {
    const stored = await storage.replaceWaiting(scan)
    onChange(stored)
    return stored
  }

  /** Sends a scan. Returns whether it has an answer. */
  async function sendScan(scan: Scan): Promise<boolean> {
    let current = scan
    async function remember(card: ScannedCard): Promise<Scan> {
      current = await replace({ ...current, card })
      return current
    }
    try {
      const answer = await send(current, remember, ended.signal)
      await replace({ ...current, ...answer, answeredAt: now() })
      onProblem(undefined)
      return true
    } catch (error) {
      if (!ended.signal.aborted) onProblem(error)
      return false
    }
  }

  /** Sends what waits of one card, in order. Returns whether everything has an answer. */
  async function sendCard(code: string): Promise<boolean> {
    let isAnswered = true
    await lock(`scan ${projectId} ${code}`, async () => {
      // Another tab may have sent some of them while this one waited for the lock.
      for (const scan of await storage.listWaiting(projectId, code)) {
        isAnswered = !ended.signal.aborted && (await sendScan(scan))
        if (!isAnswered) return
      }
    })
    return isAnswered
  }

  /** Lists the cards with scans that wait: the newest first, then those without an answer, the oldest attempt first. */
  async function listCards(): Promise<readonly string[]> {
    const waiting = await storage.listWaiting(projectId)
    const codes = new Set(waiting.toReversed().map(({ code }) => code))
    const untried = [...codes].filter((code) => !unanswered.has(code))
    return [...untried, ...[...unanswered].filter((code) => codes.has(code))]
  }

  /**
   * Sends what waits, until a scan is added or several cards in a row have no answer. Returns whether all of it
   * has an answer.
   */
  async function sendAll(): Promise<boolean> {
    const codes = (await listCards()).values()
    let areAnswered = true
    let inRow = 0
    async function work(): Promise<void> {
      for (const code of codes) {
        const isAnswered = await sendCard(code)
        unanswered.delete(code)
        if (!isAnswered) unanswered.add(code)
        inRow = isAnswered ? 0 : inRow + 1
        areAnswered &&= isAnswered
        if (isWoken || inRow >= CONCURRENCY) return
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
    return areAnswered
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!ended.signal.aborted) {
      isWoken = false
      const areAnswered = await sendAll().catch((error: unknown) => {
        onProblem(error)
        return false
      })
      if (isWoken) {
        failures = 0
        continue
      }
      if (areAnswered) break
      pause = new AbortController()
      const milliseconds = Math.min(MIN_WAIT_MS * 2 ** failures, MAX_WAIT_MS)
      failures += 1
      await wait(milliseconds, AbortSignal.any([pause.signal, ended.signal]))
    }
    await storage.prune(projectId, KEPT_SCANS)
  }

  function wake(): void {
    if (ended.signal.aborted) return
    isWoken = true
    pause.abort()
    if (isRunning) return
    isRunning = true
    run()
      .catch(onProblem)
      .finally(() => {
        isRunning = false
        // A scan can arrive while the loop ends.
        if (isWoken) wake()
      })
  }

  return {
    async add(request) {
      // A person waits for it, also if it was scanned before.
      unanswered.delete(request.code)
      const scan = await storage.add({
        ...request,
        nonce: createNonce(),
        scannedAt: now(),
        state: 'waiting',
        reason: '',
        usedCount: 0,
        answeredAt: 0,
      })
      onChange(scan)
      wake()
      return scan
    },
    wake,
    stop: () => ended.abort(),
  }
}
