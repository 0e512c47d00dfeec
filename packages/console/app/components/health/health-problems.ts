import { formatChain } from '../../format/chains.ts'
import { formatQuantity } from '../../format/number.ts'
import { formatDuration } from '../../format/time.ts'
import { healthTexts } from '../../texts/operator.ts'

/** Something that an operator should look at, and what to do about it. */
export interface HealthProblem {
  /** Unique among the problems. */
  readonly key: string
  readonly tone: 'danger' | 'warning'
  readonly title: string
  readonly remedy: string
}

/** Jobs and settles wait for others for a moment: jobs give up after ten seconds and repeat. */
const MAX_LOCK_SECONDS = 10

/** Sorts problems: those that stop something first. */
export function sortProblems(problems: readonly HealthProblem[]): readonly HealthProblem[] {
  return problems.toSorted((one, other) => Number(one.tone === 'warning') - Number(other.tone === 'warning'))
}

/** Lists the nodes of a chain that do not respond, by their numbers in CHAINS, while another one does. */
export function listNodeProblems(
  chainId: string,
  nodes: readonly { readonly problem: string }[],
): HealthProblem[] {
  return nodes.flatMap(({ problem }, index) => {
    if (problem === '') return []
    const texts = healthTexts.problems.node(String(index + 1), formatChain(chainId), problem)
    return [{ key: `node ${chainId} ${index + 1}`, tone: 'warning' as const, ...texts }]
  })
}

type ProblemText = Pick<HealthProblem, 'title' | 'remedy'>

interface JobTexts {
  job(name: string, problem: string): ProblemText
  /** @param age The time since its last success. */
  lateJob(name: string, age: string): ProblemText
}

/**
 * Lists a job that fails or is late.
 *
 * @param now The server's time, ISO 8601.
 */
export function listJobProblems(job: JobHealth, now: string, texts: JobTexts): readonly HealthProblem[] {
  const { name, problem, succeedTime = now } = job
  const found = { key: `job ${name}`, tone: 'danger' } as const
  const state = getJobState(job, now)
  if (state === 'fails') return [{ ...found, ...texts.job(name, problem) }]
  const age = formatDuration(Date.parse(now) - Date.parse(succeedTime))
  return state === 'late' ? [{ ...found, ...texts.lateJob(name, age) }] : []
}

/** Lists what is wrong if sessions of the database wait for a lock for long. */
export function listSessionProblems(
  sessions: readonly { readonly waitingSeconds: number }[],
): readonly HealthProblem[] {
  const longest = Math.max(0, ...sessions.map(({ waitingSeconds }) => waitingSeconds))
  if (longest <= MAX_LOCK_SECONDS) return []
  const count = formatQuantity(sessions.length, healthTexts.waitingSession)
  const texts = healthTexts.problems.sessions(count, formatDuration(longest * 1000))
  return [{ key: 'sessions', tone: 'danger', ...texts }]
}

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

/** A job is late when its last success is older than this many of its intervals, and than the shortest time. */
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
