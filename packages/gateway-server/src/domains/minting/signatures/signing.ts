import type { ChainMoment } from '../../../chain/mint-chain.ts'
import type { Collection, CollectionRow, Program } from '../collections/collections-store.ts'
import type { PhaseRow } from '../phases/phases-store.ts'
import type { ReservationRow } from '../reservations/reservations-store.ts'

/** A collection with its open phase, if any. */
export interface OpenSale {
  readonly collection: Collection
  readonly stored: CollectionRow
  readonly phase: PhaseRow | undefined
}

/** A call of `mintSign`, as far as it was read. */
export interface SigningRequest {
  readonly program: Program
  readonly sale: OpenSale
  readonly recipient: string
  /** The chain's newest block. */
  readonly moment: ChainMoment
  /**
   * Reads from the chain whether a signature is used by now, and records that. It may not be final, so the
   * reservation stays counted, but a caller who wants another signature does not get this one.
   */
  readonly recordUse: (row: ReservationRow) => Promise<boolean>
}
