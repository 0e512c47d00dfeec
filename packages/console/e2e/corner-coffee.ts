import { contracts } from '@mintmark/contracts'
import type { GatewayClient } from '@mintmark/operation'

/** The address of the contract of Corner Coffee, whose tokens tests give cards for. */
export const COFFEE_ADDRESS = '0x00000000000000000000000000000000000000ca'

/** Adds the contract of Corner Coffee to the project of a client. */
export async function addCornerCoffee(client: GatewayClient): Promise<void> {
  const contract = { nftAddress: COFFEE_ADDRESS, chainId: '84532', nftType: 'ERC721', name: 'Corner Coffee' }
  await contracts.add(client, contract)
}
