/** The limits of a queue in this process. */
export interface ImageQueueLimits {
  /** Places for all people. */
  readonly places: number
  readonly placesOfPerson: number
  /** Requests of all people that wait for a place. */
  readonly waiting: number
  readonly waitingOfPerson: number
}

interface Waiting {
  readonly person: string
  readonly start: () => void
}

/**
 * Waits for a place. Returns the function that releases it, or undefined if the queue is full or the request
 * was aborted.
 */
export type EnterQueue = (person: string, signal: AbortSignal) => Promise<(() => void) | undefined>

/**
 * Creates a queue for images. Whoever waits longest gets the next place, but nobody more than
 * `placesOfPerson`: addresses that do not respond, and clients that do not read, keep nobody else from
 * images.
 */
export function createImageQueue(limits: ImageQueueLimits): EnterQueue {
  const running = new Map<string, number>()
  const waiting: Waiting[] = []
  let taken = 0
  const countRunning = (person: string) => running.get(person) ?? 0
  const hasPlace = (person: string) => taken < limits.places && countRunning(person) < limits.placesOfPerson

  const startNext = () => {
    const next = waiting.find((entry) => hasPlace(entry.person))
    if (next === undefined) return
    waiting.splice(waiting.indexOf(next), 1)
    next.start()
  }

  const take = (person: string): (() => void) => {
    taken += 1
    running.set(person, countRunning(person) + 1)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      taken -= 1
      const left = countRunning(person) - 1
      if (left === 0) running.delete(person)
      else running.set(person, left)
      startNext()
    }
  }

  return async (person, signal) => {
    if (signal.aborted) return undefined
    // Nobody who waits could have this place: a released one is taken by whoever can.
    if (hasPlace(person)) return take(person)
    const waitingOfPerson = waiting.filter((entry) => entry.person === person).length
    if (waiting.length >= limits.waiting || waitingOfPerson >= limits.waitingOfPerson) return undefined
    return await new Promise((resolve) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(entry), 1)
        resolve(undefined)
      }
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve(take(person))
      }
      const entry: Waiting = { person, start }
      waiting.push(entry)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
