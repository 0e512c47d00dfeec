import { sql } from 'kysely'
import type { Store } from '../../../database/store.ts'

/** A signer's nonce on one chain. */
export interface NonceUse {
  readonly chainId: number
  readonly signer: string
  readonly nonce: number
}

/** Raises the signer's next nonce to at least `atLeast`. */
export async function raiseNonce(db: Store, chainId: number, signer: string, atLeast: number): Promise<void> {
  await sql`
    insert into facilitator.signer_nonces as current (chain_id, signer, next_nonce)
    values (${chainId}, ${signer}, ${atLeast})
    on conflict (chain_id, signer) do update set next_nonce = excluded.next_nonce
      where current.next_nonce < excluded.next_nonce`.execute(db)
}

/** Reads the nonce of the signer's next transaction. Undefined before `raiseNonce`. */
export async function getNextNonce(db: Store, chainId: number, signer: string): Promise<number | undefined> {
  const { rows } = await sql<{ next_nonce: number }>`
    select next_nonce from facilitator.signer_nonces where chain_id = ${chainId} and signer = ${signer}`.execute(
    db,
  )
  return rows[0]?.next_nonce
}

/**
 * Allocates the signer's next nonce. Its row stays locked until the transaction ends.
 *
 * @throws Error before `raiseNonce`.
 */
export async function allocateNonce(trx: Store, chainId: number, signer: string): Promise<number> {
  const { rows } = await sql<{ nonce: number }>`
    update facilitator.signer_nonces set next_nonce = next_nonce + 1
    where chain_id = ${chainId} and signer = ${signer}
    returning next_nonce - 1 as nonce`.execute(trx)
  const nonce = rows[0]?.nonce
  if (nonce === undefined) throw new Error(`The signer ${signer} has no next nonce`)
  return nonce
}

/**
 * Records until when only the signer can continue what it executes, in Unix seconds. The signer's row is locked,
 * because the nonce of the transaction was allocated.
 */
export async function keepSigner(
  trx: Store,
  { chainId, signer }: Pick<NonceUse, 'chainId' | 'signer'>,
  until: bigint,
): Promise<void> {
  await sql`
    update facilitator.signer_nonces
    set needed_until = greatest(needed_until, to_timestamp(${until.toString()}::float8))
    where chain_id = ${chainId} and signer = ${signer}`.execute(trx)
}

/**
 * Lists the `configured` signers of a chain and all others with sent transactions, each with its next nonce.
 */
export async function listSigners(
  db: Store,
  chainId: number,
  configured: readonly string[],
): Promise<{ signer: string; nextNonce: number }[]> {
  const { rows } = await sql<{ signer: string; next_nonce: number }>`
    select signer, next_nonce from facilitator.signer_nonces s
    where chain_id = ${chainId} and (signer = any(${configured}) or exists (
      select from facilitator.transactions t
      where t.chain_id = s.chain_id and t.signer = s.signer and t.state = 'sent'))
    order by signer`.execute(db)
  return rows.map(({ signer, next_nonce }) => ({ signer, nextNonce: next_nonce }))
}

/** Lists the signer's nonces without a transaction, with `from <= nonce < before`. */
export async function listNonceGaps(
  db: Store,
  { chainId, signer }: { chainId: number; signer: string },
  from: number,
  before: number,
): Promise<number[]> {
  const { rows } = await sql<{ nonce: number }>`
    select allocated.nonce from generate_series(${from}::bigint, ${before}::bigint - 1) as allocated (nonce)
    where not exists (select from facilitator.transactions t
      where t.chain_id = ${chainId} and t.signer = ${signer} and t.nonce = allocated.nonce)
    order by allocated.nonce`.execute(db)
  return rows.map((row) => row.nonce)
}
