import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { openChains } from '@mintmark/evm-reader'
import { afterAll, expect, it } from 'vitest'
import { serving, signedBody } from '../../../engine/testing.ts'
import { decodePayment } from '../../../schemes/decode.ts'
import { transactionDatabase } from '../testing.ts'
import { recordHeads } from './heads.ts'

const devChain = await testChain()
const chains = openChains([{ id: 84532, rpcUrls: [devChain.rpcUrl], finality: { depth: 1 } }])
const database = await transactionDatabase()
afterAll(() => database.drop())

async function createPayment() {
  const decoded = decodePayment(await signedBody({ account: devAccount(1) }), serving('eip155:84532'))
  if (!decoded.ok) throw new Error(decoded.message)
  return decoded.payment
}

async function reserve() {
  const { settlementId } = await database.reserve(await createPayment())
  const row = await database.db
    .selectFrom('facilitator.settlements')
    .select('reserved_block')
    .where('id', '=', Number(settlementId))
    .executeTakeFirstOrThrow()
  return row.reserved_block
}

it('a settlement stores the newest block that was known when it was reserved', async () => {
  expect(await reserve()).toBeNull()
  await devChain.client.mine({ blocks: 7 })
  const first = await devChain.client.getBlockNumber({ cacheTime: 0 })
  await recordHeads(database.db, chains)
  expect(await reserve()).toBe(String(first))
  await devChain.client.mine({ blocks: 3 })
  await recordHeads(database.db, chains)
  expect(await reserve()).toBe(String(first + 3n))
})

it('the head of one chain is recorded although another chain cannot be read', async () => {
  const both = openChains([
    { id: 1, rpcUrls: ['http://127.0.0.1:9/'], finality: { depth: 1 } },
    { id: 84532, rpcUrls: [devChain.rpcUrl], finality: { depth: 1 } },
  ])
  await devChain.client.mine({ blocks: 5 })
  await expect(recordHeads(database.db, both)).rejects.toThrow()
  expect(await reserve()).toBe(String(await devChain.client.getBlockNumber({ cacheTime: 0 })))
})
