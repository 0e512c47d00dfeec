import { devAccount } from '@mintmark/devkit/chain/accounts'
import { captureCommand } from '@mintmark/devkit/command-output'
import {
  type ProductionDatabase,
  type StubNode,
  startProductionDatabase,
  startStubNode,
} from '@mintmark/devkit/testing'
import { createSecretKey, migrate, runCommandLine } from '@mintmark/server-kit'
import type { Finding } from '@mintmark/server-kit/doctor'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { multicallAddress } from '../chains/evm/reads/multicall-reads.ts'
import { startKeyService } from '../chains/evm/transactions/testing-key-service.ts'
import { facilitatorSchema } from '../database/schema.ts'
import { migrateJobs } from '../webhooks/index.ts'
import { createFacilitatorDoctor } from './doctor.ts'

const stops = new AsyncDisposableStack()
const signerKey = generatePrivateKey()
const signer = privateKeyToAddress(signerKey).toLowerCase()

let database: ProductionDatabase
let nodes: [StubNode, StubNode]
let settings: Record<string, string>
const remoteKey = generatePrivateKey()
let keyServiceSettings: Record<string, string>

beforeAll(async () => {
  database = await startProductionDatabase()
  stops.defer(() => database.stop())
  await migrate(database.url, facilitatorSchema)
  await migrateJobs(database.url)
  nodes = [await startStubNode(), await startStubNode()]
  for (const node of nodes) stops.defer(() => node.close())
  const keyService = await startKeyService([remoteKey])
  stops.defer(() => keyService.close())
  const { url, tls } = keyService.options
  keyServiceSettings = {
    REMOTE_SIGNER_URL: url.href,
    REMOTE_SIGNER_ADDRESSES: privateKeyToAddress(remoteKey),
    REMOTE_SIGNER_CERTIFICATE: tls?.certificate ?? '',
    REMOTE_SIGNER_KEY: tls?.key ?? '',
    REMOTE_SIGNER_CA: tls?.ca ?? '',
  }
  settings = {
    DATABASE_URL: database.url,
    SECRET_KEYS: createSecretKey('k1'),
    CHAINS: `8453=${nodes[0].url}/a-key-of-a-provider,${nodes[1].url}`,
    FACILITATOR_SIGNER_KEYS: signerKey,
    FACILITATOR_PORT: '0',
    TREASURY_CHAIN: '8453',
    TREASURY_ADDRESS: `0x${'7'.repeat(40)}`,
    TREASURY_FROM_BLOCK: '40000',
  }
})
afterAll(() => stops.disposeAsync())

interface Diagnosis {
  readonly status: number
  readonly findings: readonly Finding[]
  readonly printed: string
}

/** Runs the command with some settings changed. An empty one is not set. */
async function diagnose(changes: Record<string, string> = {}): Promise<Diagnosis> {
  const { status, out, error } = await captureCommand({ ...settings, ...changes }, () =>
    runCommandLine({ program: 'mintmark-facilitator', version: '0' }, { doctor: createFacilitatorDoctor() }, [
      'doctor',
      '--json',
    ]),
  )
  expect(error).toBe('')
  return { status, findings: JSON.parse(out).findings, printed: out }
}

const listProblems = ({ findings }: Diagnosis) => findings.filter(({ level }) => level !== 'ok')

interface Expected {
  readonly level: 'warning' | 'error'
  readonly message: string
  readonly action: string
}

function expectProblem(diagnosis: Diagnosis, { level, message, action }: Expected): void {
  const problem = listProblems(diagnosis).find((each) => each.message.includes(message))
  expect(problem ?? diagnosis.findings).toMatchObject({
    level,
    message: expect.stringContaining(message),
    action: expect.stringContaining(action),
  })
  if (level === 'error') expect(diagnosis.status).toBe(1)
  expect(diagnosis.printed).not.toContain(signerKey.slice(2))
  expect(diagnosis.printed).not.toContain('hunter2')
  expect(diagnosis.printed).not.toContain('a-key-of-a-provider')
}

it('doctor of the facilitator finds nothing wrong with a server that is set up as the guide describes', async () => {
  const diagnosis = await diagnose()
  expect(listProblems(diagnosis)).toEqual([])
  expect(diagnosis.status).toBe(0)
  expect(diagnosis.findings.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      'The schema facilitator is up to date',
      `Signer ${signer} on chain 8453 has 10 native tokens`,
      'The treasury is a contract on chain 8453',
    ]),
  )
})

it('doctor of the facilitator reports all missing settings at once', async () => {
  const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, '']))
  const { status, findings } = await diagnose(empty)
  const messages = findings.filter(({ level }) => level === 'error').map(({ message }) => message)
  expect(messages).toEqual([
    expect.stringContaining('DATABASE_URL is required'),
    expect.stringContaining('SECRET_KEYS is required'),
    expect.stringContaining('No upstream is configured. Set FACILITATOR_SIGNER_KEYS'),
    expect.stringContaining('CHAINS is required'),
    expect.stringContaining('TREASURY_CHAIN (a chain id) and TREASURY_ADDRESS are required'),
  ])
  expect(status).toBe(1)
})

it('doctor of the facilitator accepts a key service that has the keys, and prints no certificate', async () => {
  const diagnosis = await diagnose(keyServiceSettings)
  expect(diagnosis.findings).toContainEqual(
    expect.objectContaining({
      level: 'ok',
      message: 'The key service has the key of every address in REMOTE_SIGNER_ADDRESSES',
    }),
  )
  expect(diagnosis.printed).not.toContain('PRIVATE KEY')
})

const SETTING_CASES: readonly (Expected & { title: string; changes: () => Record<string, string> })[] = [
  {
    title: 'a key that is given twice',
    changes: () => ({ FACILITATOR_SIGNER_KEYS: `${signerKey},${signerKey}` }),
    level: 'error',
    message: 'FACILITATOR_SIGNER_KEYS contains a key twice',
    action: 'Correct FACILITATOR_SIGNER_KEYS',
  },
  {
    title: 'a default key of development nodes',
    changes: () => ({ FACILITATOR_SIGNER_KEYS: devAccount(3).privateKey }),
    level: 'error',
    message: `The private key of signer ${devAccount(3).address.toLowerCase()} is public`,
    action: 'Create a new key',
  },
  {
    title: 'a key service without encryption',
    changes: () => ({ REMOTE_SIGNER_URL: 'http://signer.example', REMOTE_SIGNER_ADDRESSES: signer }),
    level: 'error',
    message: 'REMOTE_SIGNER_URL: expected https://',
    action: 'Correct REMOTE_SIGNER_URL',
  },
  {
    title: 'a key service that is down',
    changes: () => ({ ...keyServiceSettings, REMOTE_SIGNER_URL: 'https://127.0.0.1:1' }),
    level: 'error',
    message: 'The key service did not respond to eth_accounts: ECONNREFUSED',
    action: 'Check REMOTE_SIGNER_URL, the certificates',
  },
  {
    title: 'a key service without the key',
    changes: () => ({ ...keyServiceSettings, REMOTE_SIGNER_ADDRESSES: `0x${'5'.repeat(40)}` }),
    level: 'error',
    message: `The key service has no key of 0x${'5'.repeat(40)}`,
    action: 'remove the address from REMOTE_SIGNER_ADDRESSES',
  },
  {
    title: 'a signer in the settings and in the key service',
    changes: () => ({ ...keyServiceSettings, FACILITATOR_SIGNER_KEYS: remoteKey }),
    level: 'error',
    message: 'REMOTE_SIGNER_ADDRESSES contains the address of another signer',
    action: 'Correct REMOTE_SIGNER_ADDRESSES',
  },
  {
    title: 'a treasury on a chain without a node',
    changes: () => ({ TREASURY_CHAIN: '10' }),
    level: 'warning',
    message: 'TREASURY_CHAIN 10 is not among CHAINS',
    action: 'Add a node of chain 10 to CHAINS',
  },
  {
    title: 'a first block that is in the future',
    changes: () => ({ TREASURY_FROM_BLOCK: '60000' }),
    level: 'error',
    message: 'TREASURY_FROM_BLOCK 60000 is after the newest block 50000',
    action: "the block of the treasury's deployment",
  },
  {
    title: 'one port for calls and metrics',
    changes: () => ({ FACILITATOR_PORT: '45301', METRICS_PORT: '45301' }),
    level: 'error',
    message: 'METRICS_PORT and FACILITATOR_PORT are both 45301',
    action: 'Set METRICS_PORT to another port',
  },
  {
    title: 'a network that is unreadable and among CHAINS',
    changes: () => ({ UNREADABLE_NETWORKS: 'eip155:8453' }),
    level: 'warning',
    message: 'UNREADABLE_NETWORKS has eip155:8453',
    action: 'Remove it from UNREADABLE_NETWORKS',
  },
  {
    title: 'an audit that never runs',
    changes: () => ({ AUDIT_INTERVAL_SECONDS: '0' }),
    level: 'warning',
    message: 'AUDIT_INTERVAL_SECONDS is 0',
    action: 'Remove AUDIT_INTERVAL_SECONDS',
  },
  {
    title: 'a wrong password of the database',
    changes: () => ({ DATABASE_URL: database.url.replace('hunter2-of-the-owner', 'hunter2-of-nobody') }),
    level: 'error',
    message: 'No connection to the database: password authentication failed for user "owner"',
    action: 'Correct user and password in DATABASE_URL',
  },
]

it.each(SETTING_CASES)(
  'doctor of the facilitator names a remedy for $title',
  async ({ changes, ...expected }) => {
    expectProblem(await diagnose(changes()), expected)
  },
)

const NODE_CASES: readonly (Expected & { title: string; state: object })[] = [
  {
    title: 'a signer without gas',
    state: { balance: 0n },
    level: 'error',
    message: 'has no gas, so it cannot settle',
    action: 'Send native tokens to it',
  },
  {
    title: 'a signer with little gas',
    state: { balance: 10n ** 16n },
    level: 'warning',
    message: 'has 0.01 native tokens, less than 50 prices of a settle',
    action: 'Send native tokens to it',
  },
  {
    title: 'a treasury without code',
    state: { code: '0x' },
    level: 'error',
    message: 'is not a contract on chain 8453',
    action: 'Correct TREASURY_ADDRESS',
  },
]

it.each(NODE_CASES)('doctor of the facilitator names a remedy for $title', async ({ state, ...expected }) => {
  const before = nodes.map((node) => ({ ...node.state }))
  for (const node of nodes) Object.assign(node.state, state)
  const diagnosis = await diagnose()
  for (const [index, node] of nodes.entries()) Object.assign(node.state, before[index])
  expectProblem(diagnosis, expected)
})

it('doctor of the facilitator names a remedy for a nonce that another program has used', async () => {
  await database.administer(
    `insert into facilitator.signer_nonces (chain_id, signer, next_nonce) values (8453, '${signer}', 7)`,
  )
  for (const { state } of nodes) Object.assign(state, { minedNonce: 9, pendingNonce: 9 })
  const diagnosis = await diagnose()
  for (const { state } of nodes) Object.assign(state, { minedNonce: 0, pendingNonce: 0 })
  await database.administer('delete from facilitator.signer_nonces')
  expectProblem(diagnosis, {
    level: 'error',
    message: 'has used nonce 8, and this database knows nonces below 7',
    action: 'Run settlements audit',
  })
})

it('doctor of the facilitator names a remedy for a chain without Multicall3, if an account has a batch delay', async () => {
  const codes = nodes.map(({ state }) => state.code)
  for (const { state } of nodes) state.code = '0x'
  await database.administer(
    `insert into facilitator.accounts (payer, name) values ('0x${'1'.repeat(40)}', 'without a delay')`,
  )
  const withoutDelay = await diagnose()
  await database.administer('update facilitator.accounts set batch_delay_ms = 20')
  const diagnosis = await diagnose()
  const upstream = await diagnose({ UPSTREAM_FACILITATOR_URL: 'https://facilitator.example' })
  for (const [index, { state }] of nodes.entries()) state.code = codes[index] ?? '0x'
  const deployed = await diagnose()
  await database.administer('update facilitator.accounts set batch_delay_ms = 0')
  const message = `Chain 8453 has no contract at ${multicallAddress} (Multicall3), so no settles of 1 accounts with a batch delay share`
  const action = 'Deploy Multicall3 on chain 8453 and start the server again'
  expectProblem(diagnosis, { level: 'warning', message, action })
  for (const { printed } of [withoutDelay, upstream, deployed]) expect(printed).not.toContain(message)
  expect(listProblems(deployed)).toEqual([])
  expect(deployed.findings).toContainEqual(
    expect.objectContaining({ area: 'chains', message: 'Chain 8453 has Multicall3, which batches call' }),
  )
})

it('doctor of the facilitator names a remedy for a transaction that is not mined', async () => {
  await database.administer(
    `insert into facilitator.transactions (chain_id, signer, nonce, purpose, recipient, data, gas, created_at)
     values (8453, '${signer}', 0, 'fill', '${signer}', '0x', 21000, clock_timestamp() - interval '1 hour')`,
  )
  const diagnosis = await diagnose()
  await database.administer('delete from facilitator.transactions')
  expectProblem(diagnosis, {
    level: 'warning',
    message: `Nonce 0 of signer ${signer} on chain 8453 has not been mined for`,
    action: 'Check that the node responds',
  })
})
