import type { OperatorHealth } from '@mintmark/facilitator/operator'
import {
  type HealthProblem,
  listJobProblems,
  listNodeProblems,
  listSessionProblems,
  sortProblems,
} from '../../components/health/health-problems.ts'
import { formatChain } from '../../format/chains.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { formatCount, formatQuantity } from '../../format/number.ts'
import { formatDuration } from '../../format/time.ts'
import { facilitatorHealthTexts } from '../../texts/facilitator.ts'
import { needsGas } from './signer-status.tsx'

const SLOW_DATABASE_MS = 250
/** Chains with rare blocks have one within this time. */
const MAX_HEAD_AGE_SECONDS = 600
/** The facilitator's own alert begins there. */
const MAX_DEPOSIT_LAG_BLOCKS = 1000
const MAX_DUE_SECONDS = 300

/** The facilitator lists no more settlements and no more wallets than this. */
const MAX_LISTED = 100

/** Half of the time after which a payment that has not landed expires. */
const MAX_SLOT_AGE_SECONDS = 30
/** The slots after which a payment that has not landed expires. */
const MAX_LAG_SLOTS = 150

type SolanaHealth = NonNullable<OperatorHealth['solana']>[number]

const { problems: texts, signers: signerTexts } = facilitatorHealthTexts

/** Lists the problems of a facilitator, those that stop something first. */
export function listFacilitatorProblems(health: OperatorHealth): readonly HealthProblem[] {
  return sortProblems([
    ...health.chains.flatMap(describeChain),
    ...health.signers.flatMap(describeSigner),
    ...(health.solana ?? []).flatMap(describeSolana),
    ...health.jobs.flatMap((job) => listJobProblems(job, health.time, texts)),
    ...describeWork(health),
  ])
}

function describeChain(chain: OperatorHealth['chains'][number]): readonly HealthProblem[] {
  const { chainId, problem, nodes, headAgeSeconds = 0, depositLagBlocks = 0 } = chain
  const name = formatChain(String(chainId))
  if (problem !== '') return [{ key: `chain ${chainId}`, tone: 'danger', ...texts.chain(name, problem) }]
  const problems: HealthProblem[] = listNodeProblems(String(chainId), nodes)
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

function describeSigner(signer: OperatorHealth['signers'][number]): readonly HealthProblem[] {
  const { chainId, address, status, outstanding, problem, balance } = signer
  const name = shortenIdentifier(address)
  const key = `signer ${chainId} ${address}`
  if (status === 'missing') {
    const count = formatQuantity(outstanding, signerTexts.transaction)
    return [{ key, tone: 'danger', ...texts.missingKey(name, formatChain(String(chainId)), count) }]
  }
  // A chain that cannot be read is a problem of its own.
  if (problem !== '' && balance !== undefined)
    return [{ key, tone: 'danger', ...texts.signer(name, problem) }]
  if (needsGas(signer)) return [{ key, tone: 'danger', ...texts.balance(name, formatChain(String(chainId))) }]
  return []
}

/** The problems that the command `doctor` reports for a network of Solana, and nodes that lag. */
function describeSolana(solana: SolanaHealth): readonly HealthProblem[] {
  const { network, nodes, feePayers, headAgeSeconds = 0, problem } = solana
  const name = formatChain(network)
  // Without a usable node nothing else is known.
  if (problem !== '') return [{ key: `network ${network}`, tone: 'danger', ...texts.solana(name, problem) }]
  const problems = nodes.flatMap((node, index) => describeNode(node, index + 1, network))
  if (nodes.length === 1) problems.push({ key: `one ${network}`, tone: 'warning', ...texts.oneNode(name) })
  if (headAgeSeconds > MAX_SLOT_AGE_SECONDS) {
    const slot = texts.slot(name, formatDuration(headAgeSeconds * 1000))
    problems.push({ key: `slot ${network}`, tone: 'warning', ...slot })
  }
  return [...problems, ...feePayers.flatMap((feePayer) => describeFeePayer(feePayer, network))]
}

function describeNode(
  { isForeign, problem, lagSlots = 0 }: SolanaHealth['nodes'][number],
  number: number,
  network: string,
): HealthProblem[] {
  const key = `node ${network} ${number}`
  const [node, name] = [String(number), formatChain(network)]
  if (isForeign) return [{ key, tone: 'danger', ...texts.foreignNode(node, name) }]
  if (problem !== '') return [{ key, tone: 'warning', ...texts.deadNode(node, name, problem) }]
  if (lagSlots <= MAX_LAG_SLOTS) return []
  return [{ key, tone: 'warning', ...texts.lateNode(node, name, formatCount(lagSlots)) }]
}

function describeFeePayer(payer: SolanaHealth['feePayers'][number], network: string): HealthProblem[] {
  const { address, balance } = payer
  const key = `fee payer ${network} ${address}`
  const [feePayer, name] = [shortenIdentifier(address), formatChain(network)]
  if (!needsGas(payer)) return []
  if (balance === '0') return [{ key, tone: 'danger', ...texts.noSol(feePayer, name) }]
  return [{ key, tone: 'warning', ...texts.lowSol(feePayer, name) }]
}

function describeWork(health: OperatorHealth): readonly HealthProblem[] {
  const {
    unknownSettlements,
    blockedSessions,
    oldestDueDeliverySeconds,
    databaseMs,
    suspendedDeposits = [],
  } = health
  const problems: HealthProblem[] = [...describeAudit(health), ...listSessionProblems(blockedSessions)]
  const [oldest] = unknownSettlements
  if (oldest !== undefined) {
    const count = formatListed(unknownSettlements.length, texts.settlement)
    const unknown = texts.unknown(count, formatDuration(oldest.ageSeconds * 1000))
    problems.push({ key: 'unknown', tone: 'warning', ...unknown })
  }
  if (suspendedDeposits.length > 0) {
    const count = formatListed(suspendedDeposits.length, texts.wallet)
    problems.push({ key: 'suspended', tone: 'warning', ...texts.suspended(count) })
  }
  if (oldestDueDeliverySeconds > MAX_DUE_SECONDS) {
    const due = texts.due(formatDuration(oldestDueDeliverySeconds * 1000))
    problems.push({ key: 'due', tone: 'danger', ...due })
  }
  if (databaseMs > SLOW_DATABASE_MS)
    problems.push({ key: 'database', tone: 'warning', ...texts.database(formatCount(databaseMs)) })
  return problems
}

/** Formats the length of a list, which may be shorter than what it lists. */
function formatListed(length: number, noun: Parameters<typeof formatQuantity>[1]): string {
  const quantity = formatQuantity(length, noun)
  return length < MAX_LISTED ? quantity : `At least ${quantity}`
}

/** Describes what the last audit found, by comparison. An older facilitator returns only the number. */
function describeAudit({ auditProblems, auditProblemKinds }: OperatorHealth): readonly HealthProblem[] {
  if (auditProblems === 0) return []
  const kinds = auditProblemKinds ?? [{ kind: '', count: auditProblems }]
  const remedies: Readonly<Record<string, string>> = texts.auditRemedies
  return kinds.map(({ kind, count }) => ({
    key: `audit ${kind}`,
    tone: 'danger',
    title: texts.audit(formatQuantity(count, texts.problem), kind),
    remedy: remedies[kind] ?? 'The log of the facilitator has “The audit found a problem” with the details.',
  }))
}
