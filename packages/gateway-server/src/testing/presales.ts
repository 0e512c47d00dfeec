import { contracts, lazyMinting } from '@mintmark/contracts'
import { productCards } from '@mintmark/market'
import type { GatewayClient } from '@mintmark/operation'
import { type Order, orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { orderPort } from '../composition.ts'
import { createMintWatcher } from '../domains/minting/watching/watch-mints.ts'
import { blockHashOf, FAKE_CHAIN_ID } from './fake-payment-chain.ts'
import type { TestGateway } from './gateway.ts'
import { newAddress } from './samples/sample.ts'

/** A presale whose one phase is sold by orders. */
export interface TestPresale {
  readonly nftAddress: string
  readonly marketType: 8 | 9
  /** What is ordered of: the phase. */
  readonly listingId: number
  /** Who is paid. */
  readonly seller: string
}

const PAST = '2020-01-01T00:00:00Z'

/** A collection of lazily minted NFTs, whose own tokens can be minted as well. */
export async function createLazyPresale(
  client: GatewayClient,
  phase: object = {},
  chainId: string = FAKE_CHAIN_ID,
): Promise<TestPresale> {
  const [nftAddress, seller] = [newAddress(), newAddress()]
  await contracts.add(client, { nftAddress, name: 'Prints', nftType: 'ERC721', chainId })
  await lazyMinting.updateCollection(client, {
    ...{ nftAddress, tokenUri: 'ipfs://any', primarySaleRecipient: seller, name: 'Drops' },
  })
  const { phases } = await lazyMinting.updatePresale(client, {
    nftAddress,
    phases: [{ name: 'public', startTime: PAST, price: '1000', pricedBy: 'ORDER', ...phase }],
  })
  return { nftAddress, marketType: 9, listingId: phases[0]?.id ?? 0, seller }
}

/** A product of which there are so many. */
export async function createProductPresale(
  client: GatewayClient,
  { limited = 5, ...phase }: { limited?: number } & Record<string, unknown> = {},
): Promise<TestPresale & { nftId: string }> {
  const [nftAddress, owner] = [newAddress(), newAddress()]
  await contracts.add(client, { nftAddress, name: 'Lamps', nftType: 'ERC1155', chainId: FAKE_CHAIN_ID })
  await productCards.addNftInfo(client, { nftAddress, name: 'Lamp', owner, tokenUri: 'ipfs://lamp', limited })
  const { phases } = await productCards.updatePresale(client, {
    nftAddress,
    phases: [{ name: 'public', startTime: PAST, price: '1000', pricedBy: 'ORDER', ...phase }],
  })
  const { nfts } = await productCards.product(client, { nftAddress })
  const nftId = nfts[0]?.nftId ?? ''
  return { nftAddress, marketType: 8, listingId: phases[0]?.id ?? 0, seller: owner, nftId }
}

/** Orders of a presale. */
export function orderMint(
  client: GatewayClient,
  { marketType, listingId }: TestPresale,
  more: { recipient?: string; quantity?: number; nftId?: string; proof?: string[]; limit?: string } = {},
): Promise<Order> {
  return orders.preOrder(client, { marketType, listingId, quantity: 1, recipient: newAddress(), ...more })
}

/** Lets a quiet chain show a final payment of whatever order reports the hash. */
export function addFinalPayment({ chain }: TestGateway, hash: string): void {
  const block = chain.block + 1
  chain.block += 3
  chain.sightings.set(hash, () => ({
    ...{ kind: 'mined', block, blockHash: blockHashOf(chain, block), final: true, outcome: 'paid' },
  }))
}

/** Lets a quiet chain show that signatures were used, in a block that stays. */
export function addFinalMint({ mintChain }: TestGateway, uid: string, tokenId: string): void {
  mintChain.block += 1
  mintChain.mints.set(uid, { uid, tokenId, hash: `0x${'ab'.repeat(32)}`, block: mintChain.block })
  mintChain.block += mintChain.depth
}

/** Lets a quiet chain's clock go past the end of every signature, in a block that stays. */
export function expireSignatures({ mintChain }: TestGateway): void {
  mintChain.time += 3600
  mintChain.block += mintChain.depth + 1
}

/** Looks at every signature that is not decided, as if its time had come. */
export async function runMintWatcher(gateway: TestGateway): Promise<void> {
  const { owner, database, mintChain: chain } = gateway
  await owner.system
    .updateTable('gateway.mint_reservations')
    .set({ due_at: sql<Date>`clock_timestamp()` })
    .where('due_at', 'is not', null)
    .execute()
  const failed: unknown[] = []
  // A watcher goes on where one mint cannot be looked at; a test does not.
  const log = { error: (about: { err: unknown }) => void failed.push(about.err) } as never
  await createMintWatcher({ orders: orderPort, database, chain, log }).run()
  if (failed.length > 0) throw failed[0]
}
