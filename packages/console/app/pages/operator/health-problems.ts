import type { ServerHealth } from '@mintmark/admin'
import {
  type HealthProblem,
  listJobProblems,
  listNodeProblems,
  listSessionProblems,
  sortProblems,
} from '../../components/health/health-problems.ts'
import { formatChain } from '../../format/chains.ts'
import { formatCount, formatQuantity } from '../../format/number.ts'
import { formatDuration } from '../../format/time.ts'
import { healthTexts } from '../../texts/operator.ts'

/** A statement that does nothing takes a millisecond or two. */
const SLOW_DATABASE_MS = 250
const SLOW_CHAIN_MS = 3000
const MAX_LAG_SECONDS = 300
const MAX_UNREPORTED_SECONDS = 60
const MAX_DUE_SECONDS = 300

const { problems: texts } = healthTexts

/** Lists the problems of a server, those that stop something first. */
export function listHealthProblems(health: ServerHealth): readonly HealthProblem[] {
  return sortProblems([
    ...health.chains.flatMap((chain) => describeChain(chain)),
    ...health.jobs.flatMap((job) => listJobProblems(job, health.time, texts)),
    ...describeEvents(health),
    ...describeDatabase(health),
    ...describeWaiting(health),
  ])
}

function describeChain(chain: ServerHealth['chains'][number]): readonly HealthProblem[] {
  const { chainId, problem, nodes, responseMs, lagBlocks = 0, lagSeconds = 0, unreadableBlock } = chain
  const name = formatChain(chainId)
  if (problem !== '') return [{ key: `chain ${chainId}`, tone: 'danger', ...texts.chain(name, problem) }]
  const problems: HealthProblem[] = listNodeProblems(chainId, nodes)
  if (lagSeconds > MAX_LAG_SECONDS) {
    const lag = texts.lag(name, formatCount(lagBlocks), formatDuration(lagSeconds * 1000))
    problems.push({ key: `lag ${chainId}`, tone: 'danger', ...lag })
  }
  if (unreadableBlock !== undefined) {
    const unreadable = texts.unreadable(name, formatCount(unreadableBlock))
    problems.push({ key: `unreadable ${chainId}`, tone: 'danger', ...unreadable })
  }
  if (responseMs > SLOW_CHAIN_MS) {
    const slow = texts.slowChain(name, formatCount(responseMs))
    problems.push({ key: `slow ${chainId}`, tone: 'warning', ...slow })
  }
  return problems
}

function describeEvents(health: ServerHealth): readonly HealthProblem[] {
  const { unreported, oldestUnreportedSeconds, oldestDueDeliverySeconds } = health
  const problems: HealthProblem[] = []
  if (unreported.length > 0) {
    const count = formatQuantity(unreported.length, healthTexts.change)
    problems.push({ key: 'unreported', tone: 'danger', ...texts.unreported(count) })
  }
  if (oldestUnreportedSeconds > MAX_UNREPORTED_SECONDS) {
    const waiting = texts.waiting(formatDuration(oldestUnreportedSeconds * 1000))
    problems.push({ key: 'waiting', tone: 'danger', ...waiting })
  }
  if (oldestDueDeliverySeconds > MAX_DUE_SECONDS) {
    problems.push({
      key: 'due',
      tone: 'danger',
      ...texts.due(formatDuration(oldestDueDeliverySeconds * 1000)),
    })
  }
  return problems
}

function describeWaiting(health: ServerHealth): readonly HealthProblem[] {
  const { blockedSessions, disabledWebhooks, sharedPayments } = health
  const problems = [...listSessionProblems(blockedSessions)]
  if (disabledWebhooks.length > 0) {
    const count = formatQuantity(disabledWebhooks.length, healthTexts.disabledWebhook)
    problems.push({ key: 'webhooks', tone: 'warning', ...texts.webhooks(count) })
  }
  if (sharedPayments.length > 0) {
    const count = formatQuantity(sharedPayments.length, healthTexts.sharedPayment)
    problems.push({ key: 'payments', tone: 'warning', ...texts.payments(count) })
  }
  return problems
}

function describeDatabase({ databaseMs }: ServerHealth): readonly HealthProblem[] {
  if (databaseMs <= SLOW_DATABASE_MS) return []
  return [{ key: 'database', tone: 'warning', ...texts.database(formatCount(databaseMs)) }]
}
