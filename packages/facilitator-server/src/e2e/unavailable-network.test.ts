// A network that cannot settle now, because no node of it responds or no signer can pay for gas.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/express'
import express from 'express'
import { type Hex, parseEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { randomKey } from '../chains/evm/testing.ts'
import { hex, signedBody } from '../engine/testing.ts'
import { type TestAccount, testFacilitator } from '../testing.ts'
import { openFacilitatorClient, serveSeller } from './testing-sellers.ts'

const NETWORK = 'eip155:84532'
const UNREAD = 'eip155:1'
const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const spare = await startFaultyNode(chain.rpcUrl)
const payer = devAccount(1)
const signerKeys = [hex(randomKey()), hex(randomKey())]
const signers = signerKeys.map((key) => privateKeyToAddress(key as Hex))
const setGas = async (value: bigint, addresses = signers) => {
  for (const address of addresses) await chain.client.setBalance({ address, value })
}
await setGas(parseEther('10'))
const facilitator = await testFacilitator({
  chain,
  signerKeys,
  env: {
    CHAINS: `84532=${node.url}/secret-key,${spare.url}/secret-key`,
    UNREADABLE_NETWORKS: UNREAD,
    NODE_TIMEOUT_MS: '500',
  },
})
const account = await facilitator.account({ settles: 10_000 })

afterAll(async () => {
  await facilitator.close()
  node.close()
  spare.close()
})

interface Kind {
  readonly scheme: string
  readonly network: string
  readonly extra?: { readonly facilitatorAddress?: string }
}

/** Reads what an account is offered on the network. Both APIs offer the same. */
async function readKinds({ token }: TestAccount): Promise<Kind[]> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${facilitator.url}/x402/supported`, { headers })
  const { kinds }: { kinds: Kind[] } = await response.json()
  return kinds.filter(({ network }) => network === NETWORK)
}

const readSupported = async () => (await readKinds(account)).map(({ scheme }) => scheme)
const pollSupported = () => expect.poll(readSupported, { timeout: 60_000 })
const readReady = async () => (await (await fetch(`${facilitator.url}/ready`)).json()).chains

beforeEach(async () => {
  node.isSilent = false
  spare.isSilent = false
  await setGas(parseEther('10'))
  await pollSupported().toEqual(['exact', 'upto', 'auth-capture', 'batch-settlement'])
})

/** Expects that a payment is refused with a reason and nothing is held, in both APIs. */
async function expectUnavailable(message: RegExp): Promise<object> {
  const body = await signedBody({ account: payer })
  const available = await facilitator.available(account)
  const post = (path: string) => facilitator.post(path, body, account.token)
  const verified = await post('/x402/verify')
  expect(await verified.json()).toMatchObject({
    isValid: false,
    invalidReason: 'unexpected_verify_error',
    invalidMessage: expect.stringMatching(message),
  })
  const settled = await post('/x402/settle')
  expect(await settled.json()).toMatchObject({
    success: false,
    errorReason: 'unexpected_verify_error',
    errorMessage: expect.stringMatching(message),
    transaction: '',
  })
  const native = await post('/settle')
  expect([native.status, await native.json()]).toEqual([
    503,
    { error: 'SettlementNotSent', message: expect.stringMatching(message) },
  ])
  for (const { headers } of [verified, settled, native, await post('/verify')])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await facilitator.available(account)).toBe(available)
  return body
}

const settle = async (body: object) => (await facilitator.post('/settle', body, account.token)).status

test('a network whose nodes do not respond is withdrawn, refuses payments at once without holding a price, and is offered again by itself', async () => {
  node.isSilent = true
  spare.isSilent = true
  await pollSupported().toEqual([])
  const root = await fetch(`${facilitator.url}/supported`)
  expect(JSON.stringify(await root.json())).not.toContain(NETWORK)
  const unread = await fetch(`${facilitator.url}/x402/supported`)
  expect((await unread.json()).kinds).toContainEqual({ x402Version: 2, scheme: 'exact', network: UNREAD })
  const body = await expectUnavailable(/chain could not be read/)
  const settlements = await facilitator.settlements()
  expect(settlements.filter(({ state }) => state !== 'settled')).toEqual([])
  node.isSilent = false
  await pollSupported().not.toEqual([])
  await expect.poll(() => settle(body), { timeout: 60_000 }).toBe(200)
})

test('a network whose nodes do not respond is named by /ready with the numbers of its nodes, never their addresses', async () => {
  node.isSilent = true
  await expect.poll(readReady, { timeout: 60_000 }).toEqual({
    readable: [NETWORK],
    unreadable: [],
    unresponsiveNodes: [{ network: NETWORK, node: 1 }],
  })
  // The other node settles meanwhile.
  expect(await settle(await signedBody({ account: payer }))).toBe(200)
  spare.isSilent = true
  await expect.poll(readReady, { timeout: 60_000 }).toMatchObject({ unreadable: [NETWORK] })
  node.isSilent = false
  spare.isSilent = false
  await expect.poll(readReady, { timeout: 60_000 }).toMatchObject({ unresponsiveNodes: [] })
})

test('a network whose nodes do not respond is followed again: a payment that was sent before settles when a node is back', async () => {
  const body = await signedBody({ account: payer })
  node.interfere = (method) => {
    if (method === 'eth_sendRawTransaction') {
      node.isSilent = true
      spare.isSilent = true
    }
    return undefined
  }
  const call = settle(body)
  await expect.poll(readReady, { timeout: 60_000 }).toMatchObject({ unreadable: [NETWORK] })
  node.interfere = () => undefined
  node.isSilent = false
  spare.isSilent = false
  await call
  const readState = async () => (await facilitator.settlements()).at(-1)?.state
  await expect.poll(readState, { timeout: 60_000 }).toBe('settled')
})

describe('a network whose signers cannot pay for gas', () => {
  test('a network whose signers cannot pay for gas is withdrawn, refuses payments at once without holding a price, and is offered again by itself', async () => {
    await setGas(0n)
    await pollSupported().toEqual([])
    const before = await facilitator.settlements()
    const body = await expectUnavailable(/cannot pay for gas/)
    expect(await facilitator.settlements()).toEqual(before)
    await setGas(parseEther('10'))
    await pollSupported().not.toEqual([])
    // The gas of each signer is read by itself.
    await expect.poll(() => settle(body), { timeout: 60_000 }).toBe(200)
  })

  /** Starts a seller on stock software. */
  async function startSeller(syncFacilitatorOnStart: boolean) {
    const app = express()
    const server = new x402ResourceServer(openFacilitatorClient(`${facilitator.url}/x402`, account.token))
    server.register(NETWORK, new ExactEvmScheme())
    const accepts = { scheme: 'exact', price: '$0.01', network: NETWORK, payTo: payer.address } as const
    const routes = { 'GET /paid': { accepts } }
    app.use(paymentMiddleware(routes, server, undefined, undefined, syncFacilitatorOnStart))
    const { url, stop } = await serveSeller(app)
    onTestFinished(stop)
    return { server, read: async () => (await fetch(`${url}/paid`)).status }
  }

  test('makes a stock seller that starts exit, unless it reads what is supported by itself', async () => {
    await setGas(0n)
    await pollSupported().toEqual([])
    vi.spyOn(console, 'error').mockReturnValue()
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
    onTestFinished(() => exit.mockRestore())
    await startSeller(true)
    await expect.poll(() => exit.mock.calls).toEqual([[1]])
    const { server, read } = await startSeller(false)
    await server.initialize()
    expect(await read()).toBe(500)
    await setGas(parseEther('10'))
    await pollSupported().not.toEqual([])
    await server.initialize()
    expect(await read()).toBe(402)
    expect(exit).toHaveBeenCalledOnce()
  })

  test('keeps the other schemes while another signer can, and withdraws those that name the signer', async () => {
    const upto = (await readKinds(account)).find(({ scheme }) => scheme === 'upto')
    await setGas(
      0n,
      signers.filter((address) => address.toLowerCase() === upto?.extra?.facilitatorAddress),
    )
    await pollSupported().toEqual(['exact', 'batch-settlement'])
    expect(await settle(await signedBody({ account: payer }))).toBe(200)
  })
})
