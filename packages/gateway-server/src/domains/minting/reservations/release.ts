import type { Db } from '../../../context.ts'
import type { Program } from '../collections/collections-store.ts'
import * as phases from '../phases/phases-store.ts'
import * as stock from '../nfts/mintable-store.ts'
import * as reservations from './reservations-store.ts'

/** A reservation with the program that it is of. */
export type OfProgram = reservations.ReservationRow & { readonly program: Program }

/** Lets go of a reservation: what it had reserved is there for others. Does nothing where it was decided meanwhile. */
export async function release(trx: Db, row: OfProgram): Promise<boolean> {
  const { project_id: project } = row
  const gone = { status: 'RELEASED', hash: '', token_id: '' } as const
  if (!(await reservations.move(trx, row, row.status, gone))) return false
  await giveBack(trx, project, row.program, [row])
  return true
}

/** What reservations had reserved is there for others. */
export async function giveBack(
  trx: Db,
  project: number,
  program: Program,
  rows: readonly Pick<reservations.ReservationRow, 'nft' | 'phase_id' | 'recipient' | 'quantity'>[],
): Promise<void> {
  const nfts = new Map<number, number>()
  for (const { nft, quantity } of rows) if (nft !== 0) nfts.set(nft, (nfts.get(nft) ?? 0) + quantity)
  await stock.release(trx, program, project, nfts)
  const counted = rows.map(({ phase_id: phase, recipient: wallet, quantity }) => ({
    phase,
    wallet,
    quantity,
  }))
  await phases.unclaim(trx, project, counted)
}

/** Notes that a reservation is minted for good. */
export async function settle(
  trx: Db,
  row: OfProgram,
  minted: { tokenId: string; hash: string },
): Promise<boolean> {
  const { project_id: project, nft, quantity } = row
  const done = { status: 'MINTED', hash: minted.hash, token_id: minted.tokenId } as const
  if (!(await reservations.move(trx, row, 'SIGNED', done))) return false
  if (nft !== 0) await stock.mint(trx, row.program, { project, nft, quantity, tokenId: minted.tokenId })
  return true
}
