import type { Tenant } from '../../database/tenant.ts'

/** The columns that name a token. */
interface TokenColumns {
  readonly project_id: number
  readonly chain_id: string
  readonly nft_address: string
  readonly nft_id: string
}

/** A change of ownership, with the order and the payment that caused it, if any. */
interface Transfer {
  readonly from: string
  readonly to: string
  readonly quantity: string
  readonly orderNo?: string
  readonly hash?: string
}

/** Records a transfer of ownership in the transaction that makes it. */
export async function recordTransfer(trx: Tenant, token: TokenColumns, transfer: Transfer): Promise<void> {
  await trx
    .insertInto('gateway.transfers')
    .values({
      chain_id: token.chain_id,
      nft_address: token.nft_address,
      nft_id: token.nft_id,
      from_address: transfer.from,
      to_address: transfer.to,
      quantity: transfer.quantity,
      order_no: transfer.orderNo ?? '',
      hash: transfer.hash ?? '',
    })
    .execute()
}
