import type { SimulatedTransaction } from '@mintmark/devkit/simulation/chain-state'
import type { MinedTransaction } from '@mintmark/devkit/simulation/simulated-chain'
import { decodeProxyCall } from '@mintmark/devkit/simulation/simulated-permit2'
import { sql } from 'kysely'
import type { Payment } from '../payment/payment.ts'
import { evaluateAuthorization } from '../schemes/evm/shared/authorization-logs.ts'
import type { World } from './world.ts'

/** A settlement as the database has it at the end. */
export interface SettlementFact {
  readonly id: number
  readonly account_id: number
  readonly payer: string
  readonly nonce: string
  readonly payment_identifier: string | null
  readonly state: string
  readonly hold: string
  readonly price: string
  readonly is_final: boolean
  readonly block_hash: string | null
  readonly has_lease: boolean
  readonly transaction: string | null
  readonly upstream_responded: boolean
  readonly charge: string | null
  /** The types of its events, oldest first. */
  readonly events: readonly string[]
  /** Hashes of all transactions that were signed for it. */
  readonly attempts: readonly string[]
}

export interface AccountFact {
  readonly id: number
  readonly payer: string
  readonly available: string
  readonly frozen: boolean
}

export interface DepositFact {
  readonly hash: string
  readonly payer: string
  readonly amount: string
  readonly account_id: number | null
  readonly reversed: boolean
}

/** The database and the chain at the end of a simulation. */
export interface Facts {
  readonly settlements: readonly SettlementFact[]
  readonly accounts: readonly AccountFact[]
  readonly deposits: readonly DepositFact[]
  readonly quotas: readonly {
    readonly account_id: number
    readonly used: string
    readonly limit_amount: string
  }[]
  /** The number of reversed deposits, also of those that were credited again. */
  readonly reversals: number
  /** Hashes of all signed transactions. */
  readonly signed: ReadonlySet<string>
  /** Transactions that are neither final nor superseded. */
  readonly openTransactions: readonly { readonly id: number; readonly state: string }[]
  /** Transactions that are final, each with its block. */
  readonly finalTransactions: readonly { readonly hash: string; readonly block_hash: string }[]
}

const QUERY = sql<{ facts: Omit<Facts, 'signed'> & { signed: string[] } }>`
  select json_build_object(
    'settlements', (select coalesce(json_agg(s order by s.id), '[]') from (
      select s.id, s.account_id, s.payer, s.nonce, s.payment_identifier, s.state, s.hold, s.price::text, s.final_at is not null as is_final, s.block_hash,
        s.lease_until is not null as has_lease, s.transaction, s.upstream_responded, c.amount::text as charge,
        array(select e.type from facilitator.events e where e.subject = 'settlement:' || s.id order by e.sequence) as events,
        array(select a.hash from facilitator.transaction_attempts a join facilitator.transactions t
          on a.transaction_id = coalesce(t.batch_id, t.id)
          where t.settlement_id = s.id) as attempts
      from facilitator.settlements s left join facilitator.charges c on c.settlement_id = s.id) s),
    'accounts', (select coalesce(json_agg(a order by a.id), '[]') from (
      select id, payer, available::text, frozen_at is not null as frozen from facilitator.accounts) a),
    'deposits', (select coalesce(json_agg(d order by d.id), '[]') from (
      select id, hash, payer, amount::text, account_id, reversed_at is not null as reversed
      from facilitator.deposits) d),
    'quotas', (select coalesce(json_agg(q order by q.id), '[]') from (
      select id, account_id, used::text, limit_amount::text from facilitator.payer_quotas) q),
    'reversals', (select count(*) from facilitator.ledger_transfers where kind = 'reversal'),
    'signed', (select coalesce(json_agg(hash), '[]') from facilitator.transaction_attempts),
    'openTransactions', (select coalesce(json_agg(t order by t.id), '[]') from (
      select id, state from facilitator.transactions where state in ('sent', 'mined')) t),
    'finalTransactions', (select coalesce(json_agg(t order by t.hash), '[]') from (
      select hash, block_hash from facilitator.transactions where state = 'final' and signer is not null) t)) as facts`

export async function readFacts({ database }: World): Promise<Facts> {
  const { rows } = await QUERY.execute(database.owner)
  const [row] = rows
  if (row === undefined) throw new Error('The database returned no facts')
  return { ...row.facts, signed: new Set(row.facts.signed) }
}

/** Finds the transaction of the final chain that made a payment. */
export function findPaid({ chain }: World, payment: Payment): SimulatedTransaction | undefined {
  const isPayment = payment.scheme.domain === undefined ? usesAuthorization : callsProxy
  return chain.mined.find((mined) => mined.execution.succeeded && isPayment(mined, payment))?.transaction
}

function usesAuthorization({ execution }: MinedTransaction, payment: Payment): boolean {
  const logs = execution.succeeded ? execution.logs.map((log, logIndex) => ({ ...log, logIndex })) : []
  return evaluateAuthorization(logs, payment, false).kind === 'paid'
}

function callsProxy({ transaction: { to, data } }: MinedTransaction, payment: Payment): boolean {
  const called = decodeProxyCall(to, `0x${data.slice(2)}`)
  return called?.owner === payment.payer && called.nonce === BigInt(payment.nonce)
}
