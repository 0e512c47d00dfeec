import { type Offer, offers } from '@mintmark/market'
import type { GatewayClient } from '@mintmark/operation'
import { createOwnedToken, type OwnedToken } from './create-listing.ts'
import type { TestGateway } from './gateway.ts'
import { newAddress } from './samples/sample.ts'

/**
 * Creates an offer of 1000 for one unit of a token, by default a new one. Returns the offer with the token's
 * owner.
 */
export async function createOffer(
  { gateway, projectId, client }: { gateway: TestGateway; projectId: number; client: GatewayClient },
  more: Partial<Parameters<typeof offers.create>[1]> = {},
  token?: OwnedToken,
): Promise<Offer & { owner: string }> {
  const { seller, nftAddress, nftId } = token ?? (await createOwnedToken(gateway, projectId))
  const offer = await offers.create(client, {
    offerer: newAddress(),
    nftAddress,
    nftId,
    quantity: 1,
    totalPrice: '1000',
    expireTime: '2090-01-01T00:00:00Z',
    ...more,
  })
  return { ...offer, owner: seller }
}
