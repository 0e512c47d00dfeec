import { zeroAddress } from 'viem'
import type { TokenTransfer } from '../transfers/transfer-logs.ts'

/** What a transfer moves. */
export type Movement = Pick<TokenTransfer, 'nftAddress' | 'nftId' | 'from' | 'to' | 'quantity'>

/** By how much the balance of an owner changes. */
export interface BalanceChange {
  readonly nftAddress: string
  readonly nftId: string
  readonly owner: string
  readonly quantity: bigint
}

/** The sums of the changes of balances that transfers cause. */
export class BalanceSums {
  readonly #sums = new Map<string, BalanceChange>()

  add(transfers: readonly Movement[]): void {
    for (const transfer of transfers) {
      this.#addTo(transfer, transfer.to, transfer.quantity)
      this.#addTo(transfer, transfer.from, -transfer.quantity)
    }
  }

  #addTo({ nftAddress, nftId }: Movement, owner: string, quantity: bigint): void {
    if (owner === zeroAddress) return
    const key = `${nftAddress} ${nftId} ${owner}`
    const sum = (this.#sums.get(key)?.quantity ?? 0n) + quantity
    this.#sums.set(key, { nftAddress, nftId, owner, quantity: sum })
  }

  /**
   * Lists the changes without owners whose balance stays the same, and without the zero address. Sorted by
   * contract, token and owner, the order in which rows are locked.
   */
  listChanges(): BalanceChange[] {
    return [...this.#sums]
      .filter(([, { quantity }]) => quantity !== 0n)
      .toSorted(([first], [second]) => (first < second ? -1 : 1))
      .map(([, change]) => change)
  }
}
