import { markForkPoint } from '@mintmark/devkit/chain/reorganize'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { ChainUnavailableError } from './chain-access.ts'
import { createPaymentChains } from './payment-chains.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
afterAll(() => node.close())
const chainId = String(chain.chainId)
const chains = openChains([{ id: chain.chainId, rpcUrls: [node.url], finality: { depth: 2 } }])
const payments = createPaymentChains(chains, { warn: () => {} })
const seller = `0x${'5'.repeat(40)}` as const

beforeEach(() => {
  node.catchUp()
  node.lags = () => true
  node.interfere = () => undefined
})

async function pay() {
  const sender = chain.as(1)
  const hash = await sender.sendTransaction({ to: seller, value: 7n })
  await chain.client.waitForTransactionReceipt({ hash })
  const from = sender.account.address.toLowerCase()
  return { hash, target: { afterBlock: 0, from, to: seller, amount: 7n, token: '' } }
}

it('a payment in a final block is final', async () => {
  const { hash, target } = await pay()
  expect(await payments.observe(chainId, hash, target)).toMatchObject({ outcome: 'paid', final: false })
  await chain.client.mine({ blocks: 2 })
  expect(await payments.observe(chainId, hash, target)).toMatchObject({ outcome: 'paid', final: true })
})

it('a payment is not unseen to a node that lacks the final block', async () => {
  const { hash, target } = await pay()
  await chain.client.mine({ blocks: 3 })
  await node.lag(4)
  node.lags = (method, params) => method !== 'eth_blockNumber' && !isFinalBlockAlone(method, params)
  let headers = 0
  // The final block itself comes from a node at the head. All later requests meet the lagging node.
  function isFinalBlockAlone(method: string, params: unknown): boolean {
    if (method !== 'eth_getBlockByNumber' || !Array.isArray(params)) return false
    headers += 1
    return headers === 1
  }
  await expect(payments.observe(chainId, hash, target)).rejects.toThrow(ChainUnavailableError)
  node.catchUp()
  expect(await payments.observe(chainId, hash, target)).toMatchObject({ outcome: 'paid' })
})

it('a receipt from a block that a reorganization replaced is no payment', async () => {
  const fork = await markForkPoint(chain.client)
  const { hash, target } = await pay()
  const result = await createPublicClient({ transport: http(chain.rpcUrl) }).request({
    method: 'eth_getTransactionReceipt',
    params: [hash],
  })
  await fork.replaceBlocks(5)
  node.interfere = (method) => (method === 'eth_getTransactionReceipt' ? { result } : undefined)
  await expect(payments.observe(chainId, hash, target)).rejects.toThrow(ChainUnavailableError)
  node.interfere = () => undefined
  expect(await payments.observe(chainId, hash, target)).toEqual({ kind: 'unseen' })
})
