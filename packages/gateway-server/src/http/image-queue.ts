/** The limits of a queue in this process. */
export interface ImageQueueLimits {
  /** Places for all callers. */
  readonly places: number
  readonly placesOfCaller: number
  /** Requests of all callers that wait for a place. */
  readonly waiting: number
  readonly waitingOfCaller: number
}

interface Waiting {
  readonly caller: string
  readonly start: () => void
}

/**
 * Waits for a place. Returns the function that releases it, or undefined if the queue is full or the request
 * was aborted.
 */
export type EnterQueue = (caller: string, signal: AbortSignal) => Promise<(() => void) | undefined>

/**
 * Creates a queue for images. Whoever waits longest gets the next place, but nobody more than
 * `placesOfCaller`: addresses that do not respond, and clients that do not read, keep nobody else from
 * images.
 */
export function createImageQueue(limits: ImageQueueLimits): EnterQueue {
  const running = new Map<string, number>()
  const waiting: Waiting[] = []
  let taken = 0
  const countRunning = (caller: string) => running.get(caller) ?? 0
  const hasPlace = (caller: string) => taken < limits.places && countRunning(caller) < limits.placesOfCaller

  const startNext = () => {
    const next = waiting.find((entry) => hasPlace(entry.caller))
    if (next === undefined) return
    waiting.splice(waiting.indexOf(next), 1)
    next.start()
  }

  const take = (caller: string): (() => void) => {
    taken += 1
    running.set(caller, countRunning(caller) + 1)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      taken -= 1
      const left = countRunning(caller) - 1
      if (left === 0) running.delete(caller)
      else running.set(caller, left)
      startNext()
    }
  }

  return async (caller, signal) => {
    if (signal.aborted) return undefined
    // Nobody who waits could have this place: a released one is taken by whoever can.
    if (hasPlace(caller)) return take(caller)
    const waitingOfCaller = waiting.filter((entry) => entry.caller === caller).length
    if (waiting.length >= limits.waiting || waitingOfCaller >= limits.waitingOfCaller) return undefined
    return await new Promise((resolve) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(entry), 1)
        resolve(undefined)
      }
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve(take(caller))
      }
      const entry: Waiting = { caller, start }
      waiting.push(entry)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
