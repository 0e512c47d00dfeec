import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/nodes/faulty-node'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { openChains } from './chains.ts'
import { ChainChangedError } from './header-parsing.ts'
import { countUsedNonces, isNonceUsedByOther, type SignedNonce } from './nonce-use.ts'

const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
afterAll(() => node.close())
const [chain] = openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 1 } }]).all
if (chain === undefined) throw new Error('One chain is configured')

const recipient = '0x00000000000000000000000000000000000000aa'
const UNKNOWN_HASH = `0x${'1'.repeat(64)}`

beforeEach(() => {
  node.catchUp()
})

/** Sends a transaction. Returns its nonce with its hash, and the block that it is in. */
async function pay() {
  const wallet = devChain.as(1)
  const signer = wallet.account.address
  const nonce = await devChain.client.getTransactionCount({ address: signer })
  const hash = await wallet.sendTransaction({ to: recipient, value: 5n })
  const { blockNumber, blockHash } = await devChain.client.waitForTransactionReceipt({ hash })
  const signed: SignedNonce = { signer, nonce, hashes: [UNKNOWN_HASH, hash] }
  return { signed, block: { number: blockNumber, hash: blockHash } }
}

it('a nonce of signed transactions is used by one of them when its receipt exists', async () => {
  const { signed, block } = await pay()
  expect(await isNonceUsedByOther(chain, signed)).toBe(false)
  expect(await isNonceUsedByOther(chain, signed, block)).toBe(false)
})

it('a nonce of signed transactions is used by another transaction when no receipt of them exists', async () => {
  const { signed, block } = await pay()
  const foreign = { ...signed, hashes: [UNKNOWN_HASH] }
  expect(await isNonceUsedByOther(chain, foreign)).toBe(true)
  expect(await isNonceUsedByOther(chain, foreign, block)).toBe(true)
})

it('a nonce of signed transactions is not used before the chain counts it', async () => {
  const { signed, block } = await pay()
  const next = { ...signed, nonce: signed.nonce + 1, hashes: [UNKNOWN_HASH] }
  expect(await isNonceUsedByOther(chain, next)).toBe(false)
  expect(await isNonceUsedByOther(chain, next, block)).toBe(false)
})

it('a nonce of signed transactions is not used for a node that has not reached the block of the transaction', async () => {
  const { signed } = await pay()
  await node.lag(1)
  expect(await isNonceUsedByOther(chain, signed)).toBe(false)
})

it('a nonce of signed transactions is undecided when the node has another version of the block', async () => {
  const { signed, block } = await pay()
  const foreign = { ...signed, hashes: [UNKNOWN_HASH] }
  expect(await isNonceUsedByOther(chain, foreign, { ...block, hash: UNKNOWN_HASH })).toBe(false)
})

it('the used nonces of a signer are counted up to a block', async () => {
  const { signed, block } = await pay()
  await pay()
  expect(await countUsedNonces(chain, signed.signer, block)).toBe(signed.nonce + 1)
})

it('the used nonces of a signer are unknown to a node that lacks the block or has another version of it', async () => {
  const { signed, block } = await pay()
  const replaced = { ...block, hash: UNKNOWN_HASH }
  await expect(countUsedNonces(chain, signed.signer, replaced)).rejects.toThrow(ChainChangedError)
  await node.lag(1)
  await expect(countUsedNonces(chain, signed.signer, block)).rejects.toThrow('header not found')
})
