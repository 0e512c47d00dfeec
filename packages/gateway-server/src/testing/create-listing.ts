import { commonSales, type Listing } from '@mintmark/market'
import type { GatewayClient } from '@mintmark/operation'
import { FAKE_CHAIN_ID } from './fake-payment-chain.ts'
import type { TestGateway } from './gateway.ts'
import { newAddress } from './samples/sample.ts'

/** A token that a wallet owns, of a contract of its own. */
export interface OwnedToken {
  readonly seller: string
  readonly nftAddress: string
  readonly nftId: string
}

/** Registers a contract with one token, of which a wallet owns a quantity. */
export async function createOwnedToken(
  gateway: { readonly owner: Pick<TestGateway['owner'], 'system'> },
  project: number,
  {
    quantity = 10,
    chainId = FAKE_CHAIN_ID,
    indexed = false,
    seller = newAddress(),
    nftAddress = newAddress(),
  } = {},
): Promise<OwnedToken> {
  const db = gateway.owner.system
  const token = {
    project_id: project,
    chain_id: chainId,
    nft_address: nftAddress,
    nft_type: 'ERC1155',
    indexed,
  }
  await db
    .insertInto('gateway.contracts')
    .values({ ...token, name: 'Prints', owner: seller })
    .execute()
  await db
    .insertInto('gateway.assets')
    .values({ ...token, nft_id: '7', owner: seller, quantity: String(quantity) })
    .execute()
  return { seller, nftAddress, nftId: '7' }
}

/** Creates and lists a token. */
export async function createListing(
  { gateway, projectId, client }: { gateway: TestGateway; projectId: number; client: GatewayClient },
  more: Partial<Parameters<typeof commonSales.putOnShelf>[1]> = {},
  owned: Parameters<typeof createOwnedToken>[2] = {},
): Promise<Listing> {
  const token = await createOwnedToken(gateway, projectId, owned)
  return await commonSales.putOnShelf(client, { ...token, quantity: 10, payPrice: '1000', ...more })
}
