import { type Database, type Logger, type ServerMetrics, withoutAddress } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Configuration } from './configuration.ts'
import { readTreasuryBalance } from './chains/evm/deposits/treasury-balance.ts'
import { compareTreasury } from './ledger/check/treasury.ts'
import type { PaymentsEngine } from './payments-engine.ts'
import { listReverts } from './payments/operator/reverts.ts'
import type { Tables } from './tables.ts'

/** What an operator should be woken by: rows that do not come to their end, signers without gas, deposits not read. */
export function addGauges(
  metrics: ServerMetrics,
  parts: { database: Database<Tables>; payments: PaymentsEngine; config: Configuration; log: Logger },
): void {
  const { database, payments, config, log } = parts
  const db = database.system

  /** A chain or a database that does not answer must not take the other numbers with it. */
  const orNothing = async (name: string, read: () => Promise<Map<string, number>>) => {
    try {
      return await read()
    } catch (error) {
      log.warn({ err: withoutAddress(error), gauge: name }, 'a gauge could not be read')
      return new Map<string, number>()
    }
  }

  metrics.gauge(
    'settlement_oldest_seconds',
    'Age of the oldest settlement in each state that is not an end',
    () =>
      orNothing('settlement_oldest_seconds', async () => {
        const { rows } = await sql<{ state: string; age: number }>`
          select wanted.state, coalesce(extract(epoch from clock_timestamp() - min(s.reserved_at)), 0)::float8 as age
          from unnest(array['sent', 'unknown']) as wanted (state)
          left join facilitator.settlements s on s.state = wanted.state
          group by wanted.state`.execute(db)
        return new Map(rows.map(({ state, age }) => [state, age]))
      }),
    'state',
  )
  metrics.gauge(
    'oldest_pending_seconds',
    'Age of the oldest transaction that was not mined, and of the oldest webhook delivery that is due and was not sent',
    () =>
      orNothing('oldest_pending_seconds', async () => {
        const { rows } = await sql<{ kind: string; age: number }>`
          select 'transaction' as kind, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as age
          from facilitator.transactions where state = 'sent'
          union all
          select 'webhook', coalesce(extract(epoch from clock_timestamp() - min(coalesce(next_attempt_at, created_at))), 0)::float8
          from facilitator.deliveries
          where status = 'PENDING' and coalesce(next_attempt_at, created_at) <= clock_timestamp()`.execute(db)
        return new Map(rows.map(({ kind, age }) => [kind, age]))
      }),
    'kind',
  )
  metrics.gauge(
    'signer_balance',
    'What each signer has for gas, in whole native tokens, by chain and address',
    () =>
      orNothing('signer_balance', async () => {
        const found = new Map<string, number>()
        for (const chain of payments.chains.all) {
          for (const signer of payments.builtIn?.signers ?? []) {
            const balance = await chain.client.getBalance({ address: signer as `0x${string}` })
            found.set(`${chain.id}/${signer}`, Number(balance) / 1e18)
          }
        }
        return found
      }),
    'signer',
  )
  metrics.gauge(
    'deposit_lag_blocks',
    'Final blocks of the treasury chain whose deposits were not read yet',
    () =>
      orNothing('deposit_lag_blocks', async () => {
        const chain = payments.chains.byId(config.treasuryChain)
        if (chain === undefined) return new Map()
        const { number } = await chain.finalBlock()
        const { rows } = await sql<{ next_block: string }>`
          select next_block from facilitator.deposit_cursors
          where chain_id = ${chain.id} and treasury = ${config.treasury}`.execute(db)
        const next = BigInt(rows[0]?.next_block ?? config.treasuryFromBlock)
        return new Map([[String(chain.id), Math.max(0, Number(number + 1n - next))]])
      }),
    'chain',
  )
  metrics.gauge(
    'refused_for_reverts',
    'Payers and accounts that are refused because too many of their transactions reverted',
    () =>
      orNothing('refused_for_reverts', async () => {
        const refused = (await listReverts(db, config.revertLimits)).filter((count) => count.refused)
        const countOf = (kind: string) => refused.filter((one) => one.kind === kind).length
        return new Map(['payer', 'account'].map((kind) => [kind, countOf(kind)]))
      }),
    'kind',
  )
  metrics.gauge(
    'treasury_unexplained',
    'Balance of the treasury that credited deposits and withdrawals do not explain, in whole native tokens. Not 0: a deposit was missed',
    () =>
      orNothing('treasury_unexplained', async () => {
        const chain = payments.chains.byId(config.treasuryChain)
        const treasury = chain && (await readTreasuryBalance(db, chain, config.treasury))
        if (treasury === undefined) return new Map()
        const { unexplained } = await compareTreasury(db, treasury, config.treasurySurplus)
        return new Map([[String(treasury.chainId), Number(unexplained) / 1e18]])
      }),
    'chain',
  )
}
