import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { type Chain, openChains } from '@mintmark/evm-reader'
import { afterAll, afterEach, expect, it } from 'vitest'
import { createReceiptWatch, findReceipt } from './receipts.ts'

const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
const chain = openTestChain(node.url)
afterAll(() => node.close())
afterEach(() => {
  node.interfere = () => undefined
})

function openTestChain(url: string): Chain {
  const [opened] = openChains([{ id: 84532, rpcUrls: [url], finality: { depth: 3 } }]).all
  if (opened === undefined) throw new Error('No chain was opened')
  return opened
}

const OTHER_BLOCK = `0x${'ee'.repeat(32)}`

async function send() {
  const sender = devChain.as(1)
  const hash = await sender.sendTransaction({ to: sender.account.address, value: 1n })
  return devChain.client.waitForTransactionReceipt({ hash })
}

/** Has the node respond with the receipt of a block that the chain has replaced. */
function respondFromReplacedBlock(result: unknown): { count: number } {
  const responses = { count: 0 }
  node.interfere = (method) => {
    if (method !== 'eth_getTransactionReceipt') return undefined
    responses.count += 1
    return { result }
  }
  return responses
}

/** Reads a receipt from the dev chain itself, past the node. */
async function readRawReceipt(hash: string): Promise<object> {
  const { requestBatch } = openTestChain(devChain.rpcUrl)
  const [receipt] = await requestBatch([{ method: 'eth_getTransactionReceipt', params: [hash] }])
  // As execution clients return it.
  return receipt as object
}

it('does not believe a receipt whose block is not the block of the chain', async () => {
  const { transactionHash: hash } = await send()
  const raw = await readRawReceipt(hash)
  respondFromReplacedBlock({ ...raw, blockHash: OTHER_BLOCK })
  expect(await findReceipt(chain, hash)).toBeUndefined()
  node.interfere = () => undefined
  expect(await findReceipt(chain, hash)).toMatchObject({ status: 'success' })
})

it('does not believe a receipt whose block the node lacks', async () => {
  const { transactionHash: hash } = await send()
  node.interfere = (method) => (method === 'eth_getBlockByNumber' ? { result: null } : undefined)
  expect(await findReceipt(chain, hash)).toBeUndefined()
})

it('waits on after the receipt of a replaced block, and returns the one of the chain', async () => {
  const reports: unknown[] = []
  const watch = createReceiptWatch(chain, (error) => reports.push(error))
  await devChain.client.setAutomine(false)
  const sender = devChain.as(1)
  const hash = await sender.sendTransaction({ to: sender.account.address, value: 1n })
  const waiting = watch.wait(async () => [hash], new AbortController().signal)
  // A poll that finds the transaction before the node responds wrongly would end the wait.
  node.interfere = (method) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined)
  await devChain.client.mine({ blocks: 1 })
  await devChain.client.setAutomine(true)
  const raw = await readRawReceipt(hash)
  const responses = respondFromReplacedBlock({ ...raw, blockHash: OTHER_BLOCK, status: '0x0' })
  await expect.poll(() => responses.count).toBeGreaterThan(0)
  node.interfere = () => undefined
  expect(await waiting).toMatchObject({ status: 'success', transactionHash: hash })
  expect(reports).toEqual([])
})
