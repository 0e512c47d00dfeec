import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { numberToHex } from 'viem'
import { afterAll, expect, it } from 'vitest'
import { deployWallet } from '../../../schemes/agreement/testing-payers.ts'
import { WALLET_GAS } from '../settings/gas-caps.ts'
import { createQuotaSignatures } from './quota-signature.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
afterAll(() => node.close())
const client = openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 3 } }]).all[0]?.client
const domain = { name: 'Facilitator', version: '1', chainId: 84532, verifyingContract: chain.treasury }
const signatures = createQuotaSignatures({ domain, facilitator: chain.treasury }, client)

it('limits the gas of a wallet that verifies a signature, and takes one that needs more for unsigned', async () => {
  const payer = await deployWallet(chain, devAccount(1).address)
  const calls: unknown[] = []
  node.interfere = (method, params) => {
    if (method !== 'eth_call') return undefined
    calls.push(params)
    return { error: { code: -32000, message: 'out of gas' } }
  }
  const quota = { payer, limit: 1n, validAfter: 0n, validBefore: 4_000_000_000n, nonce: 0n }
  expect(await signatures.quota(quota, '0x1234')).toBe(false)
  expect(await signatures.revocation({ payer, nonce: 1n }, '0x1234')).toBe(false)
  const limited = [expect.objectContaining({ gas: numberToHex(WALLET_GAS) }), 'latest']
  expect(calls).toEqual([limited, limited])
})
