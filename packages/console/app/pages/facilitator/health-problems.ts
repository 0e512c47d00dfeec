import type { OperatorHealth } from '@mintmark/facilitator/operator'
import { getJobState } from '../../components/jobs/job-state.ts'
import { formatChain } from '../../format/chains.ts'
import { formatDuration } from '../../format/duration.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { formatCount, formatQuantity } from '../../format/number.ts'
import { facilitatorHealthTexts } from '../../texts/facilitator.ts'

/** Something that an operator should look at, and what to do about it. */
export interface FacilitatorProblem {
  /** Unique among the problems. */
  readonly key: string
  readonly tone: 'danger' | 'warning'
  readonly title: string
  readonly remedy: string
}

const SLOW_DATABASE_MS = 250
/** Chains with rare blocks have one within this time. */
const MAX_HEAD_AGE_SECONDS = 600
/** The facilitator's own alert begins there. */
const MAX_DEPOSIT_LAG_BLOCKS = 1000
const MAX_DUE_SECONDS = 300

const { problems: texts } = facilitatorHealthTexts

/** Lists the problems of a facilitator, those that stop something first. */
export function listFacilitatorProblems(health: OperatorHealth): readonly FacilitatorProblem[] {
  const problems = [
    ...health.chains.flatMap(describeChain),
    ...health.signers.flatMap(describeSigner),
    ...health.jobs.flatMap((job) => describeJob(job, health.time)),
    ...describeWork(health),
  ]
  return problems.toSorted((one, other) => Number(one.tone === 'warning') - Number(other.tone === 'warning'))
}

function describeChain(chain: OperatorHealth['chains'][number]): readonly FacilitatorProblem[] {
  const { chainId, problem, headAgeSeconds = 0, depositLagBlocks = 0 } = chain
  const name = formatChain(String(chainId))
  if (problem !== '') return [{ key: `chain ${chainId}`, tone: 'danger', ...texts.chain(name, problem) }]
  const problems: FacilitatorProblem[] = []
  if (headAgeSeconds > MAX_HEAD_AGE_SECONDS) {
    const age = formatDuration(headAgeSeconds * 1000)
    problems.push({ key: `head ${chainId}`, tone: 'warning', ...texts.head(name, age) })
  }
  if (depositLagBlocks > MAX_DEPOSIT_LAG_BLOCKS) {
    const lag = texts.deposits(name, formatCount(depositLagBlocks))
    problems.push({ key: `deposits ${chainId}`, tone: 'warning', ...lag })
  }
  return problems
}

function describeSigner(signer: OperatorHealth['signers'][number]): readonly FacilitatorProblem[] {
  const { chainId, address, isLow, problem, balance } = signer
  const name = shortenIdentifier(address)
  const key = `signer ${chainId} ${address}`
  // A chain that cannot be read is a problem of its own.
  if (problem !== '' && balance !== undefined)
    return [{ key, tone: 'danger', ...texts.signer(name, problem) }]
  if (isLow) return [{ key, tone: 'danger', ...texts.balance(name, formatChain(String(chainId))) }]
  return []
}

function describeJob(job: OperatorHealth['jobs'][number], now: string): readonly FacilitatorProblem[] {
  const key = `job ${job.name}`
  switch (getJobState(job, now)) {
    case 'fails':
      return [{ key, tone: 'danger', ...texts.job(job.name, job.problem) }]
    case 'late':
      return [{ key, tone: 'danger', ...texts.lateJob(job.name) }]
    default:
      return []
  }
}

function describeWork(health: OperatorHealth): readonly FacilitatorProblem[] {
  const { unknownSettlements, oldestDueDeliverySeconds, auditProblems, databaseMs } = health
  const problems: FacilitatorProblem[] = []
  const [oldest] = unknownSettlements
  if (oldest !== undefined) {
    const count = formatQuantity(unknownSettlements.length, texts.settlement)
    const unknown = texts.unknown(count, formatDuration(oldest.ageSeconds * 1000))
    problems.push({ key: 'unknown', tone: 'warning', ...unknown })
  }
  if (auditProblems > 0) {
    const count = formatQuantity(auditProblems, texts.problem)
    problems.push({ key: 'audit', tone: 'danger', ...texts.audit(count) })
  }
  if (oldestDueDeliverySeconds > MAX_DUE_SECONDS) {
    const due = texts.due(formatDuration(oldestDueDeliverySeconds * 1000))
    problems.push({ key: 'due', tone: 'danger', ...due })
  }
  if (databaseMs > SLOW_DATABASE_MS)
    problems.push({ key: 'database', tone: 'warning', ...texts.database(formatCount(databaseMs)) })
  return problems
}
