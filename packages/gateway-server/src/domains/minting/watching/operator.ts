import { ConfigurationError, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Db } from '../../../database/tables.ts'
import { Tenant } from '../../../database/tenant.ts'
import type { OrderPort } from '../../inventory/order-port.ts'
import { completeMint, expireSignature } from '../reservations/mint-inventory.ts'
import * as reservations from '../reservations/reservations-store.ts'

/**
 * An expired mint signature that the chain neither shows as used nor proves unused. What it reserved stays
 * reserved.
 */
export interface UndecidedMint {
  readonly projectId: number
  readonly reservation: number
  readonly chainId: string
  readonly nftAddress: string
  readonly uid: string
  readonly recipient: string
  readonly quantity: number
  /** When the signature ended, by the chain's clock. */
  readonly validUntil: string
  /** All earlier blocks show no use. */
  readonly provenTo: number
  readonly attempts: number
}

/** Lists the undecided mint signatures of all projects, oldest first. */
export async function listUndecidedMints(db: Db): Promise<UndecidedMint[]> {
  const { rows } = await sql<UndecidedMint>`
    select r.project_id as "projectId", r.id as reservation, k.chain_id as "chainId", k.nft_address as "nftAddress",
      r.uid, r.recipient, r.quantity, to_timestamp(r.valid_until) as "validUntil", r.proven_to as "provenTo",
      r.undecided_attempts as attempts
    from gateway.mint_reservations r
    join gateway.mint_collections c on c.project_id = r.project_id and c.id = r.collection_id
    join gateway.contracts k on k.project_id = c.project_id and k.id = c.contract_id
    where r.due_at is not null and r.status = 'SIGNED' and r.undecided_attempts > 0
    order by r.valid_until, r.id limit 1000`.execute(db)
  return rows
}

/** An operator's decision about an undecided mint signature. */
export interface MintResolution {
  readonly project: number
  readonly reservation: number
  /** The mint that used it. Undefined: it was not used. */
  readonly minted: { readonly hash: string; readonly tokenId: string } | undefined
  readonly actor: string
  readonly reason: string
}

export interface ResolvedMint {
  readonly projectId: number
  readonly reservation: number
  readonly status: string
}

/**
 * Decides an undecided mint signature: records its mint, or releases what it reserved, and stores who decided
 * and why. A signature that the watcher has decided meanwhile is refused, because the chain decides.
 */
export async function resolveMint(
  db: Db,
  orders: OrderPort,
  { project, reservation, minted, actor, reason }: MintResolution,
): Promise<ResolvedMint> {
  return await transaction(db, async (owner) => {
    const trx = new Tenant(owner, project)
    const row = await reservations.find(trx, reservation)
    if (row === undefined)
      throw new ConfigurationError(`Project ${project} has no reservation ${reservation}`)
    if (row.status !== 'SIGNED' || row.undecided_attempts === 0)
      throw new ConfigurationError(`The reservation is ${row.status} and not undecided: the chain decides it`)
    if (minted === undefined) await expireSignature(trx, orders, row)
    else await completeMint(trx, orders, row, minted)
    const { status } = await reservations.change(trx, row, { resolved_by: actor, resolution: reason })
    const expected = minted === undefined ? 'RELEASED' : 'MINTED'
    if (status !== expected)
      throw new ConfigurationError('The reservation changed meanwhile. Run mints undecided again')
    return { projectId: project, reservation, status }
  })
}
