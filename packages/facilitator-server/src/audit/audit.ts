import { type Chain, removeAddress } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { readTreasuryBalance } from '../chains/evm/deposits/treasury-balance.ts'
import { auditNonces } from '../chains/evm/transactions/audit-nonces.ts'
import { asHex } from '../chains/evm/transfer.ts'
import { checkLedger, type LedgerCheckOptions } from '../ledger/check/check.ts'
import type { EngineLog } from '../payments/engine-options.ts'
import type { Tables } from '../tables.ts'
import { claimAudit, finishAudit, listUnsettledTransactions } from './audit-store.ts'

/** The comparisons of an audit. `chains`: a comparison could not be made, because a chain could not be read. */
export const AUDIT_KINDS = ['ledger', 'settlements', 'signers', 'chains'] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

export interface AuditProblem {
  readonly kind: AuditKind
  readonly detail: string
}

export interface AuditOptions {
  readonly db: Kysely<Tables>
  readonly chains: readonly Chain[]
  /** Lower-case addresses of our own signers. */
  readonly signers: readonly string[]
  /** The treasury. Its chain is undefined if it is not among `CHAINS`. */
  readonly treasury: {
    readonly chain: Chain | undefined
    readonly address: string
    readonly surplus: bigint
  }
  readonly log: EngineLog
}

/**
 * Runs the audit unless a process has started one within `intervalSeconds`: entries and balances of the ledger, the treasury's balance,
 * our mined transactions and their settlements, and the nonces of our signers on their chains. Logs every problem.
 *
 * @returns The problems. Undefined if the audit was not due.
 */
export async function runAudit(
  options: AuditOptions,
  intervalSeconds: number,
): Promise<AuditProblem[] | undefined> {
  const { db, log } = options
  if (!(await claimAudit(db, intervalSeconds))) return undefined
  const problems = [
    ...(await auditLedger(options)),
    ...(await auditTransactions(db)),
    ...(await auditSigners(options)),
  ]
  for (const { kind, detail } of problems)
    log.error({ alert: 'audit', kind, detail }, 'The audit found a problem')
  const counts = AUDIT_KINDS.map((kind) => [kind, problems.filter((each) => each.kind === kind).length])
  await finishAudit(db, Object.fromEntries(counts))
  return problems
}

async function auditLedger(options: AuditOptions): Promise<AuditProblem[]> {
  const { db, treasury } = options
  const { chain, address, surplus } = treasury
  const unread: AuditProblem[] = []
  let checks: LedgerCheckOptions = {}
  if (chain !== undefined) {
    try {
      const present = await chain.client.getBalance({ address: asHex(address) })
      const treasuryAtBlock = await readTreasuryBalance(db, chain, address)
      checks = { treasury: present, treasuryAtBlock, surplus }
    } catch (error) {
      unread.push(reportUnread(options, chain, error))
    }
  }
  const { problems } = await checkLedger(db, checks)
  const found = problems.map(({ invariant, detail }) => ({
    kind: 'ledger' as const,
    detail: `${invariant}: ${detail}`,
  }))
  return [...found, ...unread]
}

/** Lists our transactions that succeeded, are final and have a settlement that was not settled and charged. */
async function auditTransactions(db: Kysely<Tables>): Promise<AuditProblem[]> {
  const unsettled = await listUnsettledTransactions(db)
  return unsettled.map(({ hash, settlementId, state }) => ({
    kind: 'settlements',
    detail: `transaction ${hash} of settlement ${settlementId} succeeded, and the settlement is ${state}`,
  }))
}

/** Compares the nonces that a signer has used on the chain with our transactions. */
async function auditSigners(options: AuditOptions): Promise<AuditProblem[]> {
  const { db, chains, signers } = options
  const problems: AuditProblem[] = []
  for (const chain of chains) {
    try {
      const final = await chain.finalBlock()
      for (const signer of signers) {
        const address = asHex(signer)
        const used = await chain.client.getTransactionCount({ address, blockNumber: final.number })
        const count = await auditNonces(db, { chainId: chain.id, signer }, used)
        if (count === 0) continue
        const detail = `${count} transactions of ${signer} on chain ${chain.id} are not in the database: another program has the key, or the database was restored`
        problems.push({ kind: 'signers', detail })
      }
    } catch (error) {
      problems.push(reportUnread(options, chain, error))
    }
  }
  return problems
}

function reportUnread({ log }: AuditOptions, chain: Chain, error: unknown): AuditProblem {
  log.warn({ err: removeAddress(error), chain: chain.id }, 'A chain could not be read for the audit')
  return { kind: 'chains', detail: `chain ${chain.id} could not be read` }
}

/** The result of the last finished audit. */
export interface LastAudit {
  readonly ageSeconds: number
  readonly problems: Partial<Record<AuditKind, number>>
}

/** Reads the result of the last finished audit. Undefined before the first one. */
export async function readLastAudit(db: Kysely<Tables>): Promise<LastAudit | undefined> {
  const { rows } = await sql<{ age: number; problems: LastAudit['problems'] }>`
    select extract(epoch from clock_timestamp() - finished_at)::float8 as age, problems
    from facilitator.audits where name = 'all' and finished_at is not null`.execute(db)
  return rows[0] && { ageSeconds: rows[0].age, problems: rows[0].problems }
}
