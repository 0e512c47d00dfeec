// Contracts alone: one is registered, read and taken away again.
import { contracts } from '@mintmark/contracts'
import { createGateway } from '@mintmark/transport'
import given from './gateway.json' with { type: 'json' }

const { baseUrl, apiKey, secret, chainId } = given
const gateway = createGateway({ baseUrl, credentials: { apiKey, secret } })
const nftAddress = '0x00000000000000000000000000000000000000cc'
const { id } = await contracts.add(gateway, { nftAddress, name: 'Prints', nftType: 'ERC1155', chainId })
const { name } = await contracts.get(gateway, { nftAddress })
await contracts.remove(gateway, { id })
if (name !== 'Prints') throw new Error(`registered as ${name}`)

console.log(`contract ${id}`)
