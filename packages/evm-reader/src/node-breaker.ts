import { setTimeout as pause } from 'node:timers/promises'
import { findConnectionCode, isTimeout, NodeUnavailableError, type RunRequest } from './node-http.ts'
import { describeChainError } from './rpc-error.ts'

/** A single connection may fail because the node closed it while it was idle. */
const MAX_FAILED_CONNECTIONS = 3
const PROBE_INTERVAL_MS = 1_000
/**
 * How long requests wait for the first probe after the breaker has opened. A node that lost one response
 * answers it, so that the request is repeated as before.
 */
const FIRST_PROBE_WAIT_MS = 1_000
/** A node that fails again this soon after a successful probe is skipped for longer each time. */
const RELAPSE_MS = 60_000
const MIN_SKIP_MS = 5_000
const MAX_SKIP_MS = 30_000

/**
 * Methods whose failure says more about the size of the request than about the node. The readers of logs
 * repeat them for fewer blocks.
 */
const SIZED_METHODS: ReadonlySet<string> = new Set([
  'eth_getLogs',
  'eth_getBlockReceipts',
  'debug_traceTransaction',
])

/** Whether the node did not answer: the connection failed, or the response took too long. */
const isUnanswered = (error: unknown): boolean => isTimeout(error) || findConnectionCode(error) !== undefined

/** Whether a failure took long, as a response or a connection that times out does. */
const isSlowFailure = (error: unknown): boolean =>
  isTimeout(error) || /TIMEDOUT|TIMEOUT/.test(findConnectionCode(error) ?? '')

interface Skip {
  /** Why the last request or probe failed. */
  problem: string
  /** Whether it took until the time-out. A connection that fails does so at once. */
  isSlow: boolean
  /** When the breaker opened, by `performance.now()`. */
  readonly openedAt: number
  /** When the next probe may be sent, by `performance.now()`. */
  probeAt: number
  /** The probe in progress. */
  probing: Promise<void> | undefined
}

/**
 * Creates the circuit breaker of one node: the function that runs its requests, and fails them at once while
 * the node does not respond. It opens when a request times out while the node answers few others, or when
 * connections fail several times in a row. Any response counts as an answer, also an error. While it is open,
 * requests start a probe, one at a time, and wait for it only if it is the first one, for a second, or if the
 * node fails at once. It closes when the node answers the probe.
 *
 * @param probe Sends a cheap request to the node.
 */
export function createNodeBreaker(probe: () => Promise<unknown>): RunRequest {
  let answers = 0
  let timeouts = 0
  let failedConnections = 0
  let skip: Skip | undefined
  let skipMs = 0
  let recoveredAt = Number.NEGATIVE_INFINITY

  function open(error: unknown): void {
    if (skip !== undefined) return
    const now = performance.now()
    const isSlow = isSlowFailure(error)
    const isRelapse = isSlow && now - recoveredAt < RELAPSE_MS
    skipMs = isRelapse ? Math.min(Math.max(skipMs * 2, MIN_SKIP_MS), MAX_SKIP_MS) : 0
    skip = {
      problem: describeChainError(error),
      isSlow,
      openedAt: now,
      probeAt: now + skipMs,
      probing: undefined,
    }
    if (skipMs === 0) void startProbe(skip)
  }

  function close(): void {
    skip = undefined
    failedConnections = 0
    recoveredAt = performance.now()
  }

  /** Starts a probe if none is in progress and the pause is over. Resolves when it has ended. */
  async function startProbe(current: Skip): Promise<void> {
    if (current.probing === undefined && performance.now() >= current.probeAt)
      current.probing = sendProbe(current)
    await current.probing
  }

  async function sendProbe(current: Skip): Promise<void> {
    try {
      await probe()
      close()
    } catch (error) {
      if (!isUnanswered(error)) return close()
      current.problem = describeChainError(error)
      current.isSlow = isSlowFailure(error)
      current.probing = undefined
      current.probeAt = performance.now() + (current.isSlow ? PROBE_INTERVAL_MS : 0)
    }
  }

  function recordAnswer(): void {
    answers += 1
    failedConnections = 0
  }

  /** `since`: the counts when the request was sent. */
  function recordFailure(error: unknown, since: { answers: number; timeouts: number }): void {
    if (!isSlowFailure(error)) {
      failedConnections += 1
      if (failedConnections >= MAX_FAILED_CONNECTIONS) open(error)
      return
    }
    timeouts += 1
    // One lost response among many says nothing. A third or more of what ended meanwhile does.
    if ((timeouts - since.timeouts) * 2 >= answers - since.answers) open(error)
  }

  return async (methods, request) => {
    const skipped = skip
    if (skipped !== undefined) {
      const probing = startProbe(skipped)
      const waitMs = skipped.openedAt + FIRST_PROBE_WAIT_MS - performance.now()
      if (!skipped.isSlow) await probing
      else if (waitMs > 0) await Promise.race([probing, pause(waitMs, undefined, { ref: false })])
      if (skip === skipped) throw new NodeUnavailableError(skipped.problem)
    }
    const since = { answers, timeouts }
    try {
      const result = await request()
      recordAnswer()
      return result
    } catch (error) {
      if (!isUnanswered(error)) recordAnswer()
      else if (!methods.some((method) => SIZED_METHODS.has(method))) recordFailure(error, since)
      throw error
    }
  }
}
