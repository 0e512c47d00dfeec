/** A job of a server, as its health reports it. */
export interface JobHealth {
  readonly name: string
  /** The pause between its runs, in milliseconds. */
  readonly everyMs: number
  /** When its last successful run ended, ISO 8601. */
  readonly succeedTime?: string | undefined
  /** Why the last run failed; `''` if it succeeded. */
  readonly problem: string
}

/** How a job does. */
export type JobState = 'works' | 'fails' | 'late' | 'starting'

/** A job is late after so many of its intervals, but not before the shortest time. */
const LATE_INTERVALS = 5
const MIN_LATE_MS = 120_000

/**
 * Returns how a job does.
 *
 * @param now The server's time, ISO 8601.
 */
export function getJobState({ problem, succeedTime, everyMs }: JobHealth, now: string): JobState {
  if (problem !== '') return 'fails'
  if (succeedTime === undefined) return 'starting'
  const age = Date.parse(now) - Date.parse(succeedTime)
  return age > Math.max(MIN_LATE_MS, LATE_INTERVALS * everyMs) ? 'late' : 'works'
}
