// A facilitator that is configured for Solana only, and what its operator reads of the network.
import { captureCommand } from '@mintmark/devkit/command-output'
import { solanaAccount, startSolanaChain } from '@mintmark/devkit/solana/start-solana'
import { runCommandLine } from '@mintmark/server-kit'
import type { Finding } from '@mintmark/server-kit/doctor'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { encodeBase58 } from '../chains/solana/base58.ts'
import { createFeePayer } from '../chains/solana/keys.ts'
import { openSvmChain } from '../chains/solana/svm-nodes.ts'
import { createSvmStatusReader } from '../chains/solana/svm-status.ts'
import { createFacilitatorDoctor } from '../commands/doctor.ts'
import { feePayerSeed } from '../schemes/solana/exact/testing-fixture.ts'
import { type TestFacilitator, testFacilitator } from '../testing.ts'

const OPERATOR_TOKEN = 'a-token-of-the-operator-for-tests-1234'
const UNUSED = { status: 'active', outstanding: 0, isRemovable: false }
const LOW = 49_999_999n
const ENOUGH = 50_000_000n
const LAG = 3
const WAIT = { timeout: 60_000, interval: 200 }
const stops = new AsyncDisposableStack()
const { address } = createFeePayer(feePayerSeed())
let chain: Awaited<ReturnType<typeof startSolanaChain>>
/** A node of the same network that lacks its newest slots. */
let lagging: Awaited<ReturnType<typeof chain.addNode>>
let facilitator: TestFacilitator
let feePayer: Awaited<ReturnType<typeof solanaAccount>>

beforeAll(async () => {
  chain = await startSolanaChain(stops)
  feePayer = await solanaAccount(0)
  chain.ledger.setLamports(feePayer.address, LOW)
  lagging = await chain.addNode()
  lagging.view.lag = LAG
  const publicKey = Buffer.from(await crypto.subtle.exportKey('raw', feePayer.keyPair.publicKey))
  facilitator = await testFacilitator({
    // Quotas are signed for the treasury, which this facilitator does not read.
    chain: { rpcUrl: '', treasury: `0x${'7'.repeat(40)}` },
    env: {
      CHAINS: `${chain.network}=${chain.rpcUrl},${lagging.rpcUrl}`,
      SOLANA_SIGNER_KEYS: encodeBase58(Buffer.concat([feePayerSeed(), publicKey])),
      OPERATOR_TOKEN,
    },
  })
  stops.defer(() => facilitator.close())
})
afterAll(() => stops.disposeAsync())

const readReady = async () => (await fetch(`${facilitator.url}/ready`)).json()
const readHealth = async () => {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  const response = await fetch(`${facilitator.url}/operator/v1/health`, { headers })
  return response.json()
}
const gauge = (name: string, label: string, value: number | string) =>
  `mintmark_facilitator_${name}{${label}} ${value}\n`

async function diagnose(changes: Record<string, string> = {}): Promise<Finding[]> {
  const { out } = await captureCommand({ ...facilitator.env, ...changes }, () =>
    runCommandLine({ program: 'mintmark-facilitator', version: '0' }, { doctor: createFacilitatorDoctor() }, [
      'doctor',
      '--json',
    ]),
  )
  return JSON.parse(out).findings
}
const describeFindings = (findings: Finding[]) => findings.map(({ level, message }) => `${level}: ${message}`)

test('a facilitator for Solana only needs no signers of other chains, and supports nothing else', async () => {
  const supported = await (await fetch(`${facilitator.url}/x402/supported`)).json()
  expect(supported.kinds).toEqual([
    { x402Version: 2, scheme: 'exact', network: chain.network, extra: { feePayer: address } },
  ])
  expect(supported.signers).toEqual({ 'solana:*': [address] })
})

test('readiness, health and metrics name the network of Solana and a fee payer with little SOL', async () => {
  expect(await readReady()).toMatchObject({ chains: { readable: [chain.network], unreadable: [] } })
  const health = await readHealth()
  const working = { responseMs: expect.any(Number), isForeign: false, problem: '' }
  expect(health.solana).toEqual([
    {
      network: chain.network,
      newestSlot: chain.ledger.slot,
      headAgeSeconds: expect.any(Number),
      nodes: [
        { ...working, newestSlot: chain.ledger.slot, lagSlots: 0 },
        { ...working, newestSlot: chain.ledger.slot - LAG, lagSlots: LAG },
      ],
      feePayers: [{ address, balance: String(LOW), isLow: true, ...UNUSED }],
      problem: '',
    },
  ])
  const metrics = await facilitator.metrics()
  expect(metrics).toContain(gauge('chain_readable', `chain="${chain.network}"`, 1))
  expect(metrics).toContain(
    gauge('fee_payer_balance', `fee_payer="${chain.network}/${address}"`, 0.049999999),
  )
  const alert = () =>
    facilitator.log.some((line) => line.includes('A fee payer of Solana has little SOL left'))
  await vi.waitFor(() => expect(alert()).toBe(true), WAIT)
})

test('a fee payer at the limit is not low', async () => {
  chain.ledger.setLamports(feePayer.address, ENOUGH)
  await vi.waitFor(async () => {
    const { solana } = await readHealth()
    expect(solana[0].feePayers).toEqual([{ address, balance: String(ENOUGH), isLow: false, ...UNUSED }])
  }, WAIT)
})

test('a network whose node does not respond is unreadable, and its balances are not reported', async () => {
  for (const { view } of [chain, lagging]) view.failing.add('getGenesisHash')
  const problem = expect.stringContaining('Internal error')
  const broken = { responseMs: expect.any(Number), isForeign: false, problem }
  await vi.waitFor(async () => {
    expect(await readReady()).toMatchObject({ chains: { readable: [], unreadable: [chain.network] } })
    const { solana } = await readHealth()
    expect(solana).toEqual([
      {
        network: chain.network,
        nodes: [broken, broken],
        feePayers: [{ address, isLow: false, ...UNUSED }],
        problem,
      },
    ])
    const metrics = await facilitator.metrics()
    expect(metrics).toContain(gauge('chain_readable', `chain="${chain.network}"`, 0))
    expect(metrics).not.toContain(address)
  }, WAIT)
  for (const { view } of [chain, lagging]) view.failing.clear()
})

test('the health of a network names the nodes that lag, fail or are of another network, and the age of its newest slot', async () => {
  const { network } = chain
  const failing = await chain.addNode()
  const urls = [chain, lagging, failing].map(({ rpcUrl }) => rpcUrl)
  const readStatus = () => createSvmStatusReader([openSvmChain(network, urls)], [])()
  failing.view.failing.add('getSlot')
  chain.view.blockAgeSeconds = 90
  const [status] = await readStatus()
  expect(status).toMatchObject({ newestSlot: chain.ledger.slot, problem: '' })
  expect(status?.headAgeSeconds).toBeGreaterThanOrEqual(90)
  expect(status?.nodes).toMatchObject([
    { newestSlot: chain.ledger.slot, problem: '' },
    { newestSlot: chain.ledger.slot - LAG, problem: '' },
    { newestSlot: undefined, isForeign: false, problem: expect.stringContaining('Internal error') },
  ])
  for (const { view } of [chain, lagging]) view.failing.add('getBlockTime')
  const [without] = await readStatus()
  expect(without).toMatchObject({ newestSlot: chain.ledger.slot, headAgeSeconds: undefined, problem: '' })
  for (const { view } of [chain, lagging]) view.failing.clear()
  chain.view.blockAgeSeconds = 0
  const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  const [foreign] = await createSvmStatusReader([openSvmChain(mainnet, urls.slice(0, 1))], [])()
  expect(foreign).toMatchObject({ newestSlot: undefined, nodes: [{ isForeign: true }] })
})

test('doctor names nodes of Solana that do not respond, and fee payers without SOL', async () => {
  const second = await chain.addNode()
  const CHAINS = `${chain.network}=${chain.rpcUrl},${second.rpcUrl}`
  const { network } = chain
  chain.ledger.setLamports(feePayer.address, ENOUGH)
  expect(describeFindings(await diagnose({ CHAINS }))).toContain(
    `ok: ${network} responds (2 nodes), and its fee payers have SOL`,
  )
  second.view.failing.add('getSlot')
  chain.ledger.setLamports(feePayer.address, LOW)
  expect(describeFindings(await diagnose({ CHAINS }))).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`warning: Node 2 of ${network} does not respond`),
      `warning: Fee payer ${address} on ${network} has 0.049999999 SOL, less than 0.05 SOL`,
    ]),
  )
  chain.ledger.setLamports(feePayer.address, 0n)
  expect(describeFindings(await diagnose({ CHAINS: `${network}=${chain.rpcUrl}` }))).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`warning: ${network} has one node`),
      `error: Fee payer ${address} on ${network} has no SOL, so it cannot settle`,
    ]),
  )
})

test('doctor names a node of another network than its entry', async () => {
  const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  expect(describeFindings(await diagnose({ CHAINS: `${mainnet}=${chain.rpcUrl}` }))).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`error: Node 1 of ${mainnet} cannot be used: the node is of another network`),
      expect.stringContaining(`error: No node of ${mainnet} can be used`),
    ]),
  )
})
