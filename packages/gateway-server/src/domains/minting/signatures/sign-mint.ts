import type { ChainMoment } from '../../../chain/mint-chain.ts'
import type { Tenant } from '../../../database/tenant.ts'
import type { Minters } from '../../../keys/minters.ts'
import type { Collection, Program } from '../collections/collections-store.ts'
import * as mintable from '../nfts/mintable-store.ts'
import * as reservations from '../reservations/reservations-store.ts'
import { firstBlockOf } from './find-mint.ts'
import { type Minting, mintDomain, mintHash, mintPayload, uidOf } from './mint-request.ts'

/** When the use of a signature is first searched on the chain. */
const FIRST_CHECK_SECONDS = 5

/** Signs a locked reservation that has no signature yet, and stores the signature. */
export async function signReservation(
  trx: Tenant,
  minters: Minters,
  of: { program: Program; collection: Collection; moment: ChainMoment },
  row: reservations.ReservationRow,
): Promise<reservations.ReservationRow> {
  const { contract } = of.collection
  const minter = await minters.address(trx)
  const uid = uidOf({ project: trx.project, id: row.id, minter }, contract.nft_address)
  const payload = mintPayload(await mintingOf(trx, of, row), uid, of.moment.time)
  const domain = mintDomain(contract.chain_id, contract.nft_address)
  const signature = await minters.sign(trx, mintHash(domain, payload))
  if (of.program === 'lazy' && row.nft !== 0) await mintable.keepDrawn(trx, row.nft)
  const signed = await reservations.change(trx, row, {
    status: 'SIGNED',
    minter,
    uid,
    payload: JSON.stringify(payload),
    signature,
    from_block: of.moment.block,
    searched_to: firstBlockOf({ from_block: of.moment.block }) - 1,
    valid_until: Number(payload.validityEndTimestamp),
  })
  await reservations.scheduleCheck(trx, signed, FIRST_CHECK_SECONDS, signed.searched_to)
  return signed
}

async function mintingOf(
  trx: Tenant,
  { program, collection }: { program: Program; collection: Collection },
  row: reservations.ReservationRow,
): Promise<Minting> {
  const { stored } = collection
  const nft = row.nft === 0 ? undefined : await mintable.find(trx, program, row.nft)
  const own = program === 'product'
  return {
    recipient: row.recipient,
    quantity: row.quantity,
    // A mint that an order has paid for is free on the chain.
    price: row.needs_order ? '0' : row.price,
    payTokenAddress: row.pay_token_address,
    uri: nft?.token_uri ?? stored?.token_uri ?? '',
    saleRecipient: own ? (nft?.owner ?? '') : (stored?.primary_sale_recipient ?? ''),
    royaltyRecipient: own ? (nft?.owner ?? '') : (stored?.royalty_recipient ?? ''),
    royaltyPercentage: Number(nft?.royalty_percentage ?? stored?.royalty_percentage ?? 0),
  }
}
