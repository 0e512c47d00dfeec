import { type Chain, countUsedNonces, type FinalBlock, removeAddress } from '@mintmark/evm-reader'
import { type Kysely, sql } from 'kysely'
import { readTreasuryBalance } from '../../chains/evm/deposits/treasury-balance.ts'
import { asHex } from '../../chains/evm/reads/transfer.ts'
import type { AllowedAssets } from '../../chains/evm/settings/allowed-assets.ts'
import { countForeignNonces, recordAuditedNonces } from '../../chains/evm/transactions/audit-nonces.ts'
import type { Tables } from '../../database/tables.ts'
import { auditSettlements } from '../../engine/operator/operator.ts'
import type { EngineLog } from '../../engine/settings/engine-options.ts'
import { checkLedger, type LedgerCheckOptions } from '../../ledger/check/check.ts'
import { createSignerPaymentReader } from '../signer-payments.ts'
import {
  type AuditRange,
  claimAudit,
  findAuditRange,
  finishAudit,
  listUnsettledTransactions,
  recordAuditedBlocks,
} from './audit-store.ts'

/**
 * The comparisons of an audit. `chains`: a comparison could not be made, because a chain could not be read.
 */
export const AUDIT_KINDS = ['ledger', 'settlements', 'signers', 'payments', 'chains'] as const
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
  /** The assets whose transfers are read from the chains' logs. */
  readonly assets: AllowedAssets
  /** The treasury. Its chain is undefined if it is not among `CHAINS`. */
  readonly treasury: {
    readonly chain: Chain | undefined
    readonly address: string
    readonly surplus: bigint
  }
  readonly log: EngineLog
}

/**
 * Runs the audit unless a process has started one within `intervalSeconds`: entries and balances of the
 * ledger, the treasury's balance, our mined transactions and their settlements, the nonces of our signers on
 * their chains, and the payments in the chains' logs. Logs every problem, and records what was compared only
 * afterwards, so that a crash between the two loses no alert.
 *
 * @returns The problems. Undefined if the audit was not due.
 */
export async function runAudit(
  options: AuditOptions,
  intervalSeconds: number,
): Promise<AuditProblem[] | undefined> {
  const { db, log } = options
  if (!(await claimAudit(db, intervalSeconds))) return undefined
  const problems: AuditProblem[] = []
  const add = (found: readonly AuditProblem[]) => {
    for (const { kind, detail } of found)
      log.error({ alert: 'audit', kind, detail }, 'The audit found a problem')
    problems.push(...found)
  }
  add(await auditLedger(options))
  add(await auditTransactions(db))
  for (const chain of options.chains) {
    try {
      await auditChain(options, chain, add)
    } catch (error) {
      add([reportUnread(options, chain, error)])
    }
  }
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

/**
 * Lists our transactions that succeeded, are final and have a settlement that was not settled and charged.
 */
async function auditTransactions(db: Kysely<Tables>): Promise<AuditProblem[]> {
  const unsettled = await listUnsettledTransactions(db)
  return unsettled.map(({ hash, settlementId, state }) => ({
    kind: 'settlements',
    detail: `transaction ${hash} of settlement ${settlementId} succeeded, and the settlement is ${state}`,
  }))
}

type AddProblems = (problems: readonly AuditProblem[]) => void

/** Compares what our signers did on a chain, up to its final block, with the database. */
async function auditChain(options: AuditOptions, chain: Chain, add: AddProblems): Promise<void> {
  const { db, signers } = options
  if (signers.length === 0) return
  const final = await chain.finalBlock()
  for (const signer of signers) {
    const nonce = await countUsedNonces(chain, signer, final)
    const audited = { chainId: chain.id, signer, nonce }
    const count = await countForeignNonces(db, audited)
    if (count > 0) {
      const detail = `${count} transactions of ${signer} on chain ${chain.id} are not in the database: another program has the key, or the database was restored`
      add([{ kind: 'signers', detail }])
    }
    await recordAuditedNonces(db, audited)
  }
  const range = await findAuditRange(db, chain.id, final.number)
  if (range !== undefined) await auditPayments(options, { chain, final, range }, add)
}

/** Most blocks of one chain that an audit reads. The next one continues. */
const MAX_BLOCKS = 20_000

/** Compares the payments in the chain's logs with the settlements. */
async function auditPayments(
  { db, signers, assets }: AuditOptions,
  { chain, final, range }: { chain: Chain; final: FinalBlock; range: AuditRange },
  add: AddProblems,
): Promise<void> {
  const reader = createSignerPaymentReader(chain, { signers, assets })
  const first = Number(range.from)
  const last = Math.min(Number(range.to), first + MAX_BLOCKS - 1)
  for (let from = first; from <= last; ) {
    const { payments, to } = await reader.read({ from, to: last, newest: final })
    const { problems } = await auditSettlements(db, payments)
    add(
      problems.map(({ payment, problem, settlementId: id }) => ({
        kind: 'payments',
        detail: `the payment ${payment.nonce} by ${payment.transaction} on chain ${chain.id} has ${PAYMENT_PROBLEMS[problem]}${id === undefined ? '' : `: settlement ${id}`}`,
      })),
    )
    await recordAuditedBlocks(db, chain.id, BigInt(to) + 1n)
    from = to + 1
  }
}

const PAYMENT_PROBLEMS = {
  'no settlement': 'no settlement',
  'not settled': 'a settlement that is not settled',
  'not charged': 'a settlement that was not charged',
  'another transaction': 'a settlement with another transaction',
} as const

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
