import { type ChainStatus, removeAddress } from '@mintmark/evm-reader'
import type { Database, Logger, ServerMetrics } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { listOutstanding } from '../chains/evm/transactions/outstanding.ts'
import { LOW_FEE_PAYER_LAMPORTS } from '../chains/solana/svm-status.ts'
import type { Tables } from '../database/tables.ts'
import { readOldestUnfinished } from '../ledger/settlements/oldest-unfinished.ts'
import { listReverts } from '../ledger/settlements/reverts.ts'
import { AUDIT_KINDS, readLastAudit } from './audit/audit.ts'
import { LOW_BALANCE_PRICES } from './audit/low-balance.ts'
import type { TreasuryMonitor } from './audit/treasury-monitor.ts'
import type { OperatedPayments, OperatedSettings } from './operated.ts'

export interface GaugeParts {
  readonly database: Database<Tables>
  readonly payments: OperatedPayments
  readonly readChainStatus: () => Promise<readonly ChainStatus[]>
  readonly treasuryMonitor: TreasuryMonitor | undefined
  readonly config: OperatedSettings
  readonly log: Logger
  /** What is wrong with the list of the screening; `''` if nothing is. Undefined: there is no list. */
  readonly getScreeningProblem: () => string | undefined
}

interface Gauge {
  readonly name: string
  readonly help: string
  readonly label: string
  readonly read: (parts: GaugeParts) => Promise<Map<string, number>>
  /** When a value needs a person. `docs/guides/running-the-servers.md` has a section for each. */
  readonly alert?: {
    readonly message: string
    readonly isRaised: (value: number, label: string, config: OperatedSettings) => boolean
  }
}

const WEI_PER_TOKEN = 1e18
const LAMPORTS_PER_SOL = 1e9
/**
 * Milliseconds that a settlement belongs to its call after the upstream's time, and some more for a busy
 * machine.
 */
const SENT_GRACE_MS = 60_000
const UNKNOWN_ALERT_SECONDS = 3600
const PENDING_ALERT_SECONDS = 300
/**
 * Longer than blocks take to be final, and than a rollout whose old processes lack the key of a new signer.
 */
const MISSING_KEY_ALERT_SECONDS = 1800
const DEPOSIT_LAG_ALERT_BLOCKS = 1_000
const MISSED_AUDITS = 3

/**
 * The gauges that an operator needs: unfinished rows, signers without gas, deposits that were not read,
 * results of the audit. Every query uses an index of unfinished rows, or reads one row.
 */
const GAUGES: readonly Gauge[] = [
  {
    name: 'settlement_oldest_seconds',
    help: 'Age of the oldest settlement in each unfinished state',
    label: 'state',
    read: ({ database }) => readOldestUnfinished(database.system),
    alert: {
      message: 'A settlement is not finished for too long',
      isRaised: (seconds, state, { upstreamTimeout }) =>
        state === 'sent'
          ? seconds > (upstreamTimeout + SENT_GRACE_MS) / 1000
          : seconds > UNKNOWN_ALERT_SECONDS,
    },
  },
  {
    name: 'oldest_pending_seconds',
    help: 'Age of the oldest transaction that was not mined, and of the oldest webhook delivery that is due',
    label: 'kind',
    read: ({ database }) => readOldestPending(database.system),
    alert: {
      message: 'A transaction is not mined, or a webhook is not sent, for too long',
      isRaised: (seconds) => seconds > PENDING_ALERT_SECONDS,
    },
  },
  {
    name: 'signer_balance',
    help: 'Balance of each signer for gas, in whole native tokens, by chain and address',
    label: 'signer',
    read: ({ payments }) => readSignerBalances(payments),
    alert: {
      message: 'A signer has little left for gas',
      isRaised: (tokens, _, { price }) => tokens < Number(price * LOW_BALANCE_PRICES) / WEI_PER_TOKEN,
    },
  },
  {
    name: 'signer_outstanding_seconds',
    help: 'Age of the oldest transaction of each signer that is not final, by chain and address. Alerts for a signer whose key is not configured',
    label: 'signer',
    read: readOutstandingAges,
    alert: {
      message:
        'The key of a signer is missing, and what it has sent is not final for too long. Unless a rollout is still adding the key, add it again, and its address to RETIRED_SIGNERS',
      isRaised: (seconds, label, { signers, upstreamUrl }) => {
        const hasKey = upstreamUrl === undefined && signers.some(({ address }) => label.endsWith(address))
        return seconds > MISSING_KEY_ALERT_SECONDS && !hasKey
      },
    },
  },
  {
    name: 'fee_payer_balance',
    help: 'Balance of each fee payer on each network of Solana, in SOL',
    label: 'fee_payer',
    read: ({ payments }) => readFeePayerBalances(payments),
    alert: {
      message: 'A fee payer of Solana has little SOL left',
      isRaised: (sol) => sol < Number(LOW_FEE_PAYER_LAMPORTS) / LAMPORTS_PER_SOL,
    },
  },
  {
    name: 'deposit_lag_blocks',
    help: 'Final blocks of the treasury chain whose deposits were not read yet',
    label: 'chain',
    read: readDepositLag,
    alert: {
      message: 'Deposits are not read',
      isRaised: (blocks) => blocks > DEPOSIT_LAG_ALERT_BLOCKS,
    },
  },
  {
    name: 'refused_for_reverts',
    help: 'Payers and accounts that are refused because too many of their transactions reverted',
    label: 'kind',
    read: countRefusedForReverts,
    alert: {
      message: "An account is refused because its payers' transactions revert",
      isRaised: (count, kind) => kind === 'account' && count > 0,
    },
  },
  {
    name: 'treasury_unexplained',
    help: 'Balance of the treasury that credited deposits and withdrawals do not explain, in whole native tokens. Not 0: a deposit was missed',
    label: 'chain',
    read: async ({ treasuryMonitor }) => treasuryMonitor?.getUnexplained() ?? new Map(),
    alert: {
      message: 'Deposits and withdrawals do not explain the balance of the treasury',
      isRaised: (tokens) => tokens !== 0,
    },
  },
  {
    name: 'suspended_deposits',
    help: 'Deposits of wallets without an account',
    label: 'chain',
    read: ({ database }) => countSuspendedDeposits(database.system),
    alert: {
      message: 'A deposit waits for an account of its wallet',
      isRaised: (count) => count > 0,
    },
  },
  {
    name: 'chain_readable',
    help: 'Whether a node of the chain responds: 1 or 0',
    label: 'chain',
    read: async ({ readChainStatus }) =>
      new Map((await readChainStatus()).map(({ network, isReadable }) => [network, Number(isReadable)])),
    alert: { message: 'No node of the chain responds', isRaised: (value) => value === 0 },
  },
  {
    name: 'chain_head_age_seconds',
    help: 'Age of the newest block of the chain that a node returns',
    label: 'chain',
    read: readHeadAges,
  },
  {
    name: 'screening_file_valid',
    help: 'Whether SCREENING_FILE is the list that is used: 1, or 0 if an earlier one is',
    label: 'setting',
    read: async ({ getScreeningProblem }) => {
      const problem = getScreeningProblem()
      return new Map(problem === undefined ? [] : [['SCREENING_FILE', Number(problem === '')]])
    },
    alert: {
      message: 'SCREENING_FILE cannot be used, so that payments are screened with an earlier list',
      isRaised: (value) => value === 0,
    },
  },
  {
    name: 'audit_problems',
    help: 'Problems that the last audit found, by kind',
    label: 'kind',
    read: readAuditProblems,
  },
  {
    name: 'audit_age_seconds',
    help: 'Seconds since the last audit finished',
    label: 'audit',
    read: readAuditAge,
    alert: {
      message: 'The audit does not finish',
      isRaised: (seconds, _, { auditIntervalSeconds }) =>
        auditIntervalSeconds > 0 && seconds > auditIntervalSeconds * MISSED_AUDITS,
    },
  },
]

/** Registers the gauges. A chain or a database that does not respond leaves out only its own gauges. */
export function addGauges(metrics: ServerMetrics, parts: GaugeParts): void {
  for (const gauge of GAUGES) {
    metrics.gauge(gauge.name, gauge.help, () => readOrWarn(gauge, parts), gauge.label)
  }
}

async function readOrWarn({ name, read }: Gauge, parts: GaugeParts): Promise<Map<string, number>> {
  try {
    return await read(parts)
  } catch (error) {
    parts.log.warn({ err: removeAddress(error), gauge: name }, 'A gauge could not be read')
    return new Map<string, number>()
  }
}

const REPEAT_ALERT_MS = 10 * 60_000

/**
 * Creates the job that logs an error for every value that needs a person: at first, then every ten minutes,
 * and once when it has ended.
 */
export function createAlertJob(parts: GaugeParts): () => Promise<void> {
  const loggedAt = new Map<string, number>()
  return async () => {
    for (const gauge of GAUGES) {
      if (gauge.alert !== undefined) await logAlerts(gauge, parts, loggedAt)
    }
  }
}

async function logAlerts(gauge: Gauge, parts: GaugeParts, loggedAt: Map<string, number>): Promise<void> {
  const { name, label, alert } = gauge
  const { log, config } = parts
  for (const [labelValue, value] of await readOrWarn(gauge, parts)) {
    const key = `${name}/${labelValue}`
    const fields = { alert: name, [label]: labelValue, value }
    const last = loggedAt.get(key)
    if (!alert?.isRaised(value, labelValue, config)) {
      if (loggedAt.delete(key)) log.info(fields, 'An alert has ended')
    } else if (last === undefined || performance.now() - last >= REPEAT_ALERT_MS) {
      log.error(fields, alert.message)
      loggedAt.set(key, performance.now())
    }
  }
}

async function readOldestPending(db: Kysely<Tables>): Promise<Map<string, number>> {
  const { rows } = await sql<{ kind: string; age: number }>`
    select 'transaction' as kind, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as age
    from facilitator.transactions where state = 'sent'
    union all
    select 'webhook', coalesce(extract(epoch from clock_timestamp() - min(next_attempt_at)), 0)::float8
    from facilitator.deliveries
    where status = 'PENDING' and next_attempt_at <= statement_timestamp()`.execute(db)
  return new Map(rows.map(({ kind, age }) => [kind, age]))
}

async function readSignerBalances({ chains, builtIn }: OperatedPayments): Promise<Map<string, number>> {
  const balances = new Map<string, number>()
  for (const chain of chains.all) {
    for (const signer of builtIn?.signers ?? []) {
      const balance = await chain.client.getBalance({ address: signer as `0x${string}` })
      balances.set(`${chain.id}/${signer}`, Number(balance) / WEI_PER_TOKEN)
    }
  }
  return balances
}

/** Reads for how many seconds each signer has had a transaction that is not final. */
async function readOutstandingAges({ database }: GaugeParts): Promise<Map<string, number>> {
  const outstanding = await listOutstanding(database.system)
  return new Map(
    outstanding.map(({ chainId, signer, oldestSeconds }) => [`${chainId}/${signer}`, oldestSeconds]),
  )
}

async function readFeePayerBalances({ svm }: OperatedPayments): Promise<Map<string, number>> {
  const statuses = (await svm?.readStatus()) ?? []
  return new Map(
    statuses.flatMap(({ network, feePayers }) =>
      feePayers.flatMap(({ address, lamports }) =>
        lamports === undefined
          ? []
          : [[`${network}/${address}`, Number(lamports) / LAMPORTS_PER_SOL] as const],
      ),
    ),
  )
}

/**
 * Reads how many final blocks of the treasury's chain were not read for deposits yet, by chain id.
 *
 * @throws The error of the chain.
 */
export async function readDepositLag({
  database,
  payments,
  config,
}: Pick<GaugeParts, 'database' | 'payments' | 'config'>): Promise<Map<string, number>> {
  const chain = payments.chains.byId(config.treasuryChain)
  if (chain === undefined) return new Map()
  const { number } = await chain.finalBlock()
  const { rows } = await sql<{ next_block: string }>`
    select next_block from facilitator.deposit_cursors
    where chain_id = ${chain.id} and treasury = ${config.treasury}`.execute(database.system)
  const next = BigInt(rows[0]?.next_block ?? config.treasuryFromBlock)
  return new Map([[String(chain.id), Math.max(0, Number(number + 1n - next))]])
}

async function countRefusedForReverts({ database, config }: GaugeParts): Promise<Map<string, number>> {
  const counts = await listReverts(database.system, config.revertLimits)
  const refused = counts.filter((count) => count.refused)
  const countKind = (kind: string) => refused.filter((count) => count.kind === kind).length
  return new Map(['payer', 'account'].map((kind) => [kind, countKind(kind)]))
}

async function countSuspendedDeposits(db: Kysely<Tables>): Promise<Map<string, number>> {
  const { rows } = await sql<{ chain_id: number; count: number }>`
    select chain_id, count(*)::int as count from facilitator.deposits
    where account_id is null and reversed_at is null group by chain_id`.execute(db)
  return new Map(rows.map(({ chain_id, count }) => [String(chain_id), count]))
}

async function readHeadAges({ readChainStatus }: GaugeParts): Promise<Map<string, number>> {
  const ages = new Map<string, number>()
  for (const { network, headAgeSeconds } of await readChainStatus()) {
    if (headAgeSeconds !== undefined) ages.set(network, headAgeSeconds)
  }
  return ages
}

async function readAuditProblems({ database }: GaugeParts): Promise<Map<string, number>> {
  const last = await readLastAudit(database.system)
  return new Map(last === undefined ? [] : AUDIT_KINDS.map((kind) => [kind, last.problems[kind] ?? 0]))
}

async function readAuditAge({ database }: GaugeParts): Promise<Map<string, number>> {
  const last = await readLastAudit(database.system)
  return new Map(last === undefined ? [] : [['all', last.ageSeconds]])
}
