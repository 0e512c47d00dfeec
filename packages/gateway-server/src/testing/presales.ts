import { contracts, lazyMinting } from '@mintmark/contracts'
import { productCards } from '@mintmark/market'
import type { GatewayClient } from '@mintmark/operation'
import { type Order, orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { createMintWatcher } from '../domains/minting/watching/watch-mints.ts'
import { orderPort } from '../main/composition.ts'
import { blockHashOf, FAKE_CHAIN_ID } from './fake-payment-chain.ts'
import type { TestGateway } from './gateway.ts'
import { newAddress } from './samples/sample.ts'

/** A presale with one phase that is sold by orders. */
export interface TestPresale {
  readonly nftAddress: string
  readonly marketType: 8 | 9
  /** The id of the phase, for orders. */
  readonly phaseId: number
  /** The recipient of payments. */
  readonly seller: string
}

const PAST = '2020-01-01T00:00:00Z'

/** Creates a collection of lazily minted NFTs that also mints tokens without an NFT. */
export async function createLazyPresale(
  client: GatewayClient,
  phase: object = {},
  chainId: string = FAKE_CHAIN_ID,
): Promise<TestPresale> {
  const [nftAddress, seller] = [newAddress(), newAddress()]
  await contracts.add(client, { nftAddress, name: 'Prints', nftType: 'ERC721', chainId })
  await lazyMinting.updateCollection(client, {
    nftAddress,
    tokenUri: 'ipfs://any',
    primarySaleRecipient: seller,
    name: 'Drops',
  })
  const { phases } = await lazyMinting.updatePresale(client, {
    nftAddress,
    phases: [{ name: 'public', startTime: PAST, price: '1000', pricedBy: 'ORDER', ...phase }],
  })
  return { nftAddress, marketType: 9, phaseId: phases[0]?.id ?? 0, seller }
}

/** Creates a product with a limited quantity. */
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
  return { nftAddress, marketType: 8, phaseId: phases[0]?.id ?? 0, seller: owner, nftId }
}

/** Places an order of a presale. */
export function orderMint(
  client: GatewayClient,
  { marketType, phaseId }: TestPresale,
  more: { recipient?: string; quantity?: number; nftId?: string; proof?: string[]; limit?: string } = {},
): Promise<Order> {
  return orders.preOrder(client, { marketType, phaseId, quantity: 1, recipient: newAddress(), ...more })
}

/** Adds a final payment to the fake chain, for any order that reports the hash. */
export function addFinalPayment({ chain }: TestGateway, hash: string): void {
  const block = chain.block + 1
  chain.block += 3
  chain.sightings.set(hash, () => ({
    kind: 'mined',
    block,
    blockHash: blockHashOf(chain, block),
    final: true,
    outcome: 'paid',
  }))
}

/** Adds a final mint to the fake chain. */
export function addFinalMint({ mintChain }: TestGateway, uid: string, tokenId: string): void {
  mintChain.block += 1
  mintChain.mints.set(uid, { uid, tokenId, hash: `0x${'ab'.repeat(32)}`, block: mintChain.block })
  mintChain.block += mintChain.depth
}

/** Advances the clock of the fake chain past the end of all signatures, with a final block. */
export function expireSignatures({ mintChain }: TestGateway): void {
  mintChain.time += 3600
  mintChain.block += mintChain.depth + 1
}

/** Makes all undecided signatures due and runs the mint watcher. */
export async function runMintWatcher(gateway: TestGateway): Promise<void> {
  const { owner, database, mintChain: chain } = gateway
  await owner.system
    .updateTable('gateway.mint_reservations')
    .set({ due_at: sql<Date>`clock_timestamp()` })
    .where('due_at', 'is not', null)
    .execute()
  const errors: unknown[] = []
  // The watcher logs the failure of one mint and continues. A test must fail.
  const log = { warn: () => {}, error: (about: { err: unknown }) => void errors.push(about.err) } as never
  await createMintWatcher({ orders: orderPort, database, chain, log }).run()
  if (errors.length > 0) throw errors[0]
}
