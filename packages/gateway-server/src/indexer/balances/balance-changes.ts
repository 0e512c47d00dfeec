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

/**
 * Sums the changes of balances that transfers cause. Leaves out owners whose balance stays the same, and the
 * zero address. Sorted by contract, token and owner, the order in which rows are locked.
 */
export function sumBalanceChanges(transfers: readonly Movement[]): BalanceChange[] {
  const sums = new Map<string, BalanceChange>()
  const add = ({ nftAddress, nftId }: Movement, owner: string, quantity: bigint) => {
    if (owner === zeroAddress) return
    const key = `${nftAddress} ${nftId} ${owner}`
    const sum = (sums.get(key)?.quantity ?? 0n) + quantity
    sums.set(key, { nftAddress, nftId, owner, quantity: sum })
  }
  for (const transfer of transfers) {
    add(transfer, transfer.to, transfer.quantity)
    add(transfer, transfer.from, -transfer.quantity)
  }
  return [...sums]
    .filter(([, { quantity }]) => quantity !== 0n)
    .toSorted(([first], [second]) => (first < second ? -1 : 1))
    .map(([, change]) => change)
}
