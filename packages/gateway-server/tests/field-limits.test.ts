import { contracts } from '@mintmark/contracts'
import { productCards } from '@mintmark/market'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { clientOf } from '../src/testing/samples/calls.ts'
import { newAddress } from '../src/testing/samples/sample.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

describe('a product card', () => {
  it('a product card refuses a description of 4,001 characters and stores nothing of it', async () => {
    const client = clientOf(gateway, gateway.key)
    const [nftAddress, owner] = [newAddress(), newAddress()]
    await contracts.add(client, { nftAddress, name: 'Lamps', nftType: 'ERC721', chainId: '84532' })
    const info = { nftAddress, owner, name: 'Lamp', tokenUri: 'ipfs://lamp' }
    const added = productCards.addNftInfo(client, { ...info, description: 'x'.repeat(4001) })
    await expect(added).rejects.toMatchObject({ status: 400, issues: [{ path: 'description' }] })
    const { nfts } = await productCards.product(client, { nftAddress })
    expect(nfts).toEqual([])
  })
})

it('a row of a tenant is refused by the database itself when a text exceeds its limit', async () => {
  const db = gateway.owner.system
  const wallet = (name: string) =>
    sql`insert into gateway.wallet_info (project_id, address, name)
          values (${gateway.key.projectId}, ${newAddress()}, ${name})`.execute(db)
  await wallet('🎟'.repeat(200))
  await expect(wallet('x'.repeat(201))).rejects.toMatchObject({ constraint: 'wallet_info_limits' })
})
