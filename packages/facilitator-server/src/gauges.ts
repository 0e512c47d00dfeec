import { type Database, type Logger, removeAddress, type ServerMetrics } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { readTreasuryBalance } from './chains/evm/deposits/treasury-balance.ts'
import type { Configuration } from './configuration.ts'
import { compareTreasury } from './ledger/check/treasury.ts'
import { readOldestUnfinished } from './ledger/settlements/oldest-unfinished.ts'
import { listReverts } from './ledger/settlements/reverts.ts'
import type { PaymentsEngine } from './payments-engine.ts'
import type { Tables } from './tables.ts'

interface GaugeParts {
  readonly database: Database<Tables>
  readonly payments: PaymentsEngine
  readonly config: Configuration
  readonly log: Logger
}

interface Gauge {
  readonly name: string
  readonly help: string
  readonly label: string
  readonly read: (parts: GaugeParts) => Promise<Map<string, number>>
}

const WEI_PER_TOKEN = 1e18

/** The gauges that should alert an operator: unfinished rows, signers without gas, deposits that were not read. */
const GAUGES: readonly Gauge[] = [
  {
    name: 'settlement_oldest_seconds',
    help: 'Age of the oldest settlement in each unfinished state',
    label: 'state',
    read: ({ database }) => readOldestUnfinished(database.system),
  },
  {
    name: 'oldest_pending_seconds',
    help: 'Age of the oldest transaction that was not mined, and of the oldest webhook delivery that is due',
    label: 'kind',
    read: ({ database }) => readOldestPending(database.system),
  },
  {
    name: 'signer_balance',
    help: 'Balance of each signer for gas, in whole native tokens, by chain and address',
    label: 'signer',
    read: ({ payments }) => readSignerBalances(payments),
  },
  {
    name: 'deposit_lag_blocks',
    help: 'Final blocks of the treasury chain whose deposits were not read yet',
    label: 'chain',
    read: readDepositLag,
  },
  {
    name: 'refused_for_reverts',
    help: 'Payers and accounts that are refused because too many of their transactions reverted',
    label: 'kind',
    read: countRefusedForReverts,
  },
  {
    name: 'treasury_unexplained',
    help: 'Balance of the treasury that credited deposits and withdrawals do not explain, in whole native tokens. Not 0: a deposit was missed',
    label: 'chain',
    read: readUnexplainedBalance,
  },
]

/** Registers the gauges. A chain or a database that does not respond leaves out only its own gauges. */
export function addGauges(metrics: ServerMetrics, parts: GaugeParts): void {
  for (const { name, help, label, read } of GAUGES) {
    const readOrWarn = async () => {
      try {
        return await read(parts)
      } catch (error) {
        parts.log.warn({ err: removeAddress(error), gauge: name }, 'A gauge could not be read')
        return new Map<string, number>()
      }
    }
    metrics.gauge(name, help, readOrWarn, label)
  }
}

async function readOldestPending(db: Kysely<Tables>): Promise<Map<string, number>> {
  const { rows } = await sql<{ kind: string; age: number }>`
    select 'transaction' as kind, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as age
    from facilitator.transactions where state = 'sent'
    union all
    select 'webhook', coalesce(extract(epoch from clock_timestamp() - min(coalesce(next_attempt_at, created_at))), 0)::float8
    from facilitator.deliveries
    where status = 'PENDING' and coalesce(next_attempt_at, created_at) <= clock_timestamp()`.execute(db)
  return new Map(rows.map(({ kind, age }) => [kind, age]))
}

async function readSignerBalances({ chains, builtIn }: PaymentsEngine): Promise<Map<string, number>> {
  const balances = new Map<string, number>()
  for (const chain of chains.all) {
    for (const signer of builtIn?.signers ?? []) {
      const balance = await chain.client.getBalance({ address: signer as `0x${string}` })
      balances.set(`${chain.id}/${signer}`, Number(balance) / WEI_PER_TOKEN)
    }
  }
  return balances
}

async function readDepositLag({ database, payments, config }: GaugeParts): Promise<Map<string, number>> {
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

async function readUnexplainedBalance({
  database,
  payments,
  config,
}: GaugeParts): Promise<Map<string, number>> {
  const db = database.system
  const chain = payments.chains.byId(config.treasuryChain)
  const treasury = chain && (await readTreasuryBalance(db, chain, config.treasury))
  if (treasury === undefined) return new Map()
  const { unexplained } = await compareTreasury(db, treasury, config.treasurySurplus)
  return new Map([[String(treasury.chainId), Number(unexplained) / WEI_PER_TOKEN]])
}
