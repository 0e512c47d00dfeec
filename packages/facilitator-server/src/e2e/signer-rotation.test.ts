// A signer that is replaced by another one while payments are in flight: an old process has its key only, a
// new one has it as a retired signer.
import { randomBytes } from 'node:crypto'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { permit2Address } from '@mintmark/devkit/chain/chain'
import { testChain } from '@mintmark/devkit/chain/testing'
import { captureCommand } from '@mintmark/devkit/command-output'
import type { OperatorHealth } from '@mintmark/facilitator/operator'
import { createLog, openDatabase, readEnvironment, runCommandLine } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { type Hex, maxUint256, parseEther, parseGwei } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { facilitatorCommands } from '../commands/commands.ts'
import { readConfiguration } from '../configuration.ts'
import { facilitatorSchema } from '../database/schema.ts'
import type { Tables } from '../database/tables.ts'
import { signedBody, signedPermit2Body } from '../engine/testing.ts'
import { letTimePass } from '../engine/testing-engine.ts'
import { getAccount } from '../ledger/accounts/accounts.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { type RunningFacilitator, startFacilitator } from '../server.ts'
import { settlePrice, type TestAccount, testAccount, testEnvironment } from '../testing.ts'
import { testConfiguration } from '../testing-configuration.ts'
import { createFacilitatorDatabase } from '../testing-database.ts'
import { captureBody, signPayment } from './testing-auth-captures.ts'

const chain = await testChain()
const OPERATOR_TOKEN = 'a-token-of-the-operator-for-tests-1234'
const payer = devAccount(1)
const seller = '0x00000000000000000000000000000000005e11e4'
await chain.confirm(
  chain.as(1).writeContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'approve',
    args: [permit2Address, maxUint256],
  }),
)

/** The settings of a process before, during and after the rotation. */
type Stage = 'old' | 'ready' | 'new' | 'last'

let stops: AsyncDisposableStack
let fixture: Awaited<ReturnType<typeof openFixture>>
beforeEach(async () => {
  stops = new AsyncDisposableStack()
  fixture = await openFixture()
})
afterEach(async () => {
  expect((await checkLedger(fixture.db)).problems).toEqual([])
  await chain.client.setAutomine(true)
  await stops.disposeAsync()
})

async function openFixture() {
  const { url, drop } = await createFacilitatorDatabase()
  stops.defer(drop)
  const opened = openDatabase<Tables>({ url, role: facilitatorSchema.role, max: 3 })
  stops.defer(() => opened.close())
  const db = opened.system
  const keys = [generatePrivateKey(), generatePrivateKey()] as const
  const [first, second] = [privateKeyToAddress(keys[0]), privateKeyToAddress(keys[1])]
  for (const address of [first, second]) await chain.client.setBalance({ address, value: parseEther('1') })
  const stages: Record<Stage, Record<string, string>> = {
    old: { FACILITATOR_SIGNER_KEYS: keys[0] },
    ready: { FACILITATOR_SIGNER_KEYS: keys.join(), RETIRED_SIGNERS: second },
    new: { FACILITATOR_SIGNER_KEYS: keys.join(), RETIRED_SIGNERS: first },
    last: { FACILITATOR_SIGNER_KEYS: keys[1] },
  }
  const envOf = (stage: Stage): Record<string, string> => ({
    ...testEnvironment({ chain }),
    DATABASE_URL: url,
    OPERATOR_TOKEN,
    ...stages[stage],
  })
  return {
    db,
    envOf,
    first: first.toLowerCase(),
    second: second.toLowerCase(),
    account: await testAccount(db),
  }
}

interface Process extends RunningFacilitator {
  readonly log: readonly string[]
}

async function start(stage: Stage, changes: Record<string, string> = {}): Promise<Process> {
  const lines: string[] = []
  const log = createLog('facilitator', 'info', { write: (line) => void lines.push(line) })
  const running = await startFacilitator(readEnvironment({ ...fixture.envOf(stage), ...changes }), log, {
    configuration: testConfiguration,
  })
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await running.close()
  }
  stops.defer(close)
  return { ...running, close, log: lines }
}

const inTenMinutes = () => BigInt(Math.floor(Date.now() / 1000) + 600)
const uptoFor = (facilitator: string) =>
  signedPermit2Body({
    account: payer,
    to: seller,
    value: 700n,
    maximum: 1_000n,
    nonce: `0x${randomBytes(32).toString('hex')}`,
    validBefore: inTenMinutes(),
    facilitator,
  })
const exact = () => signedBody({ account: payer, to: seller })

async function call({ url }: Process, path: string, body: object, { token } = fixture.account) {
  const response = await fetch(`${url}/x402/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  return response.json()
}
async function settleBy(process: Process, body: object): Promise<string> {
  const settled = await call(process, 'settle', body)
  expect(settled).toMatchObject({ success: true })
  return readSender(settled.transaction)
}
const readSender = async (hash: Hex) => (await chain.client.getTransaction({ hash })).from.toLowerCase()
async function readOffer({ url }: Process): Promise<unknown> {
  const headers = { authorization: `Bearer ${fixture.account.token}` }
  const { kinds } = await (await fetch(`${url}/x402/supported`, { headers })).json()
  return kinds.find(({ scheme }: { scheme: string }) => scheme === 'upto').extra.facilitatorAddress
}
const countCharges = async ({ id }: TestAccount = fixture.account) =>
  100n - (await getAccount(fixture.db, id)).available / settlePrice
const listSettlements = () =>
  fixture.db.selectFrom('facilitator.settlements').selectAll().orderBy('id').execute()

/** Makes transactions old enough to be replaced. */
const ageAttempts = () =>
  sql`update facilitator.transaction_attempts set created_at = created_at - interval '1 minute'`.execute(
    fixture.db,
  )
const ageTransactions = (age: string) =>
  sql`update facilitator.transactions set created_at = created_at - ${age}::interval`.execute(fixture.db)
const countAttempts = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from facilitator.transaction_attempts`.execute(fixture.db)
  return rows[0]?.count
}
/** Mines blocks and runs jobs until all settlements are final. */
async function finish(process: Process): Promise<void> {
  await chain.client.setAutomine(true)
  await expect
    .poll(
      async () => {
        await chain.client.mine({ blocks: 2 })
        await letTimePass(fixture.db)
        await process.runJobs()
        return (await listSettlements()).map(({ state, final_at }) => state === 'failed' || final_at !== null)
      },
      { timeout: 60_000 },
    )
    .not.toContain(false)
}

/**
 * Signs a transaction by an old process that dies before it is mined, and raises the fees, so that it must be
 * replaced.
 */
async function leaveStuck(body: object): Promise<void> {
  const old = await start('old', { UPSTREAM_TIMEOUT_MS: '2000' })
  await chain.client.setAutomine(false)
  expect(await call(old, 'settle', body)).toMatchObject({ success: false, errorReason: 'settlement_pending' })
  await old.close()
  const { maxFeePerGas = 0n } = await chain.client.estimateFeesPerGas()
  await chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas * 20n + parseGwei('1') })
  await chain.client.mine({ blocks: 1 })
  await ageAttempts()
}

interface ListedSigner {
  readonly signer: string
  readonly status: string
  readonly sent: number
  readonly action: string
}
async function runCommand(stage: Stage, ...parameters: string[]) {
  return captureCommand(fixture.envOf(stage), () =>
    runCommandLine({ program: 'mintmark-facilitator', version: '0' }, facilitatorCommands, parameters),
  )
}
const listSigners = async (stage: Stage): Promise<ListedSigner[]> =>
  JSON.parse((await runCommand(stage, 'signers', 'list')).out)

/** Reads what the health of a process has of each signer. */
async function readSigners({ url }: Process): Promise<Pick<SignerHealth, 'address' | SignerField>[]> {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  const { signers }: OperatorHealth = await (await fetch(`${url}/operator/v1/health`, { headers })).json()
  return signers.map(({ address, status, outstanding, isRemovable }) => ({
    address,
    status,
    outstanding,
    isRemovable,
  }))
}
type SignerHealth = OperatorHealth['signers'][number]
type SignerField = 'status' | 'outstanding' | 'isRemovable'

/** Returns what doctor reports of a signer's unfinished work. */
async function diagnose(stage: Stage): Promise<string[]> {
  const { out } = await runCommand(stage, 'doctor', '--json')
  const { findings }: { findings: { level: string; message: string }[] } = JSON.parse(out)
  return findings
    .filter(
      ({ message }) =>
        message.includes(fixture.first) && /not mined, and|outstanding|has signed/.test(message),
    )
    .map(({ level }) => level)
}

describe('an old and a new process that work at the same time', () => {
  it('offer their own signer, and settle what is signed for a signer that they have', async () => {
    const { first, second } = fixture
    const [old, next] = [await start('old'), await start('new')]
    expect([await readOffer(old), await readOffer(next)]).toEqual([first, second])
    const senders = await Promise.all([
      settleBy(old, await exact()),
      settleBy(next, await exact()),
      settleBy(old, await uptoFor(first)),
      settleBy(next, await uptoFor(first)),
      settleBy(next, await uptoFor(second)),
    ])
    expect(senders).toEqual([first, second, first, first, second])
    const foreign = await uptoFor(second)
    expect(await call(old, 'verify', foreign)).toMatchObject({
      isValid: false,
      invalidReason: 'upto_facilitator_mismatch',
    })
    expect(await call(old, 'settle', foreign)).toMatchObject({ errorReason: 'upto_facilitator_mismatch' })
    expect(await countCharges()).toBe(5n)
  })

  it('accept all payments that the other one offers, if the old one has the new signer as a retired one', async () => {
    const { first, second } = fixture
    const [ready, next] = [await start('ready'), await start('new')]
    expect([await readOffer(ready), await readOffer(next)]).toEqual([first, second])
    expect(await settleBy(ready, await exact())).toBe(first)
    for (const process of [ready, next]) {
      expect(await settleBy(process, await uptoFor(first))).toBe(first)
      expect(await settleBy(process, await uptoFor(second))).toBe(second)
    }
  })

  it('settle concurrent payments once each, with the nonces of the signer that both have', async () => {
    const processes = [await start('old'), await start('new')]
    const bodies = await Promise.all(Array.from({ length: 12 }, () => uptoFor(fixture.first)))
    const responses = await Promise.all(
      bodies.flatMap((body) => processes.map((process) => call(process, 'settle', body))),
    )
    expect(responses.filter(({ success }) => success)).toHaveLength(bodies.length)
    expect(await countCharges()).toBe(BigInt(bodies.length))
  })
})

it('a retired signer replaces in the new process what the old one signed before it died', async () => {
  const body = await uptoFor(fixture.first)
  await leaveStuck(body)
  expect(await listSigners('new')).toMatchObject([
    { signer: fixture.first, status: 'retired', sent: 1, action: expect.stringContaining('Keep its key') },
    { signer: fixture.second, status: 'active', sent: 0 },
  ])
  expect(await diagnose('new')).toEqual(['warning'])
  const next = await start('new')
  const { first, second } = fixture
  const active = { address: second, status: 'active', outstanding: 0, isRemovable: false }
  const retired = { address: first, status: 'retired', outstanding: 1, isRemovable: false }
  expect(await readSigners(next)).toEqual([retired, active])
  await expect.poll(countAttempts, { timeout: 30_000 }).toBe(2)
  await finish(next)
  const [settlement] = await listSettlements()
  expect(settlement).toMatchObject({ state: 'settled' })
  expect(await readSender(settlement?.transaction as Hex)).toBe(fixture.first)
  expect(await countCharges()).toBe(1n)
  await expect
    .poll(async () => (await listSigners('new'))[0], { timeout: 30_000 })
    .toMatchObject({
      status: 'retired',
      sent: 0,
      mined: 0,
      action: expect.stringContaining('Keep its key until it has not signed for 86400 seconds'),
    })
  expect(await diagnose('new')).toEqual(['warning'])
  await expect
    .poll(() => readSigners(next), { timeout: 30_000 })
    .toEqual([{ ...retired, outstanding: 0 }, active])
  await ageTransactions('1 day')
  const [listed] = await listSigners('new')
  expect(listed).toMatchObject({ action: expect.stringContaining('Remove its key') })
  await expect
    .poll(() => readSigners(next), { timeout: 30_000 })
    .toEqual([{ ...retired, outstanding: 0, isRemovable: true }, active])
  expect([await diagnose('new'), await diagnose('last')]).toEqual([['ok'], []])
})

it('a retired signer keeps its key until what it has authorized can no longer be captured or refunded', async () => {
  const old = await start('old')
  const payment = await signPayment(chain, { extra: { captureAuthorizer: fixture.first } })
  expect(await settleBy(old, payment.body)).toBe(fixture.first)
  const next = await start('new')
  await finish(next)
  await ageTransactions('1 day')
  await expect
    .poll(async () => (await listSigners('new'))[0], { timeout: 30_000 })
    .toMatchObject({
      sent: 0,
      mined: 0,
      action: expect.stringContaining('can be captured, voided or refunded by it'),
    })
  expect(await settleBy(next, await captureBody(chain, payment, 1_000n))).toBe(fixture.first)
  await finish(next)
  await ageTransactions('1 day')
  await sql`update facilitator.signer_nonces set needed_until = needed_until - interval '2 hours'`.execute(
    fixture.db,
  )
  await expect
    .poll(async () => (await listSigners('new'))[0], { timeout: 30_000 })
    .toMatchObject({ action: expect.stringContaining('Remove its key') })
})

it('a retired signer keeps its key while it is needed on another chain', async () => {
  await sql`insert into facilitator.transactions (chain_id, signer, nonce, purpose, recipient, data, gas)
      values (1, ${fixture.first}, 0, 'fill', ${fixture.first}, '0x', 21000)`.execute(fixture.db)
  const [listed] = await listSigners('new')
  expect(listed).toMatchObject({
    status: 'retired',
    sent: 0,
    action: expect.stringContaining('another chain'),
  })
  const next = await start('new')
  expect(await readSigners(next)).toEqual([
    { address: fixture.first, status: 'retired', outstanding: 0, isRemovable: false },
    { address: fixture.second, status: 'active', outstanding: 0, isRemovable: false },
    { address: fixture.first, status: 'missing', outstanding: 1, isRemovable: false },
  ])
})

it('a retired signer whose key is removed too early is reported, and finishes when the key is back', async () => {
  await leaveStuck(await uptoFor(fixture.first))
  expect(await diagnose('last')).toEqual(['error'])
  expect(await listSigners('last')).toMatchObject([
    { signer: fixture.second, status: 'active' },
    {
      signer: fixture.first,
      status: 'missing',
      sent: 1,
      action: expect.stringContaining('RETIRED_SIGNERS'),
    },
  ])
  const last = await start('last')
  expect(await readSigners(last)).toEqual([
    { address: fixture.second, status: 'active', outstanding: 0, isRemovable: false },
    { address: fixture.first, status: 'missing', outstanding: 1, isRemovable: false },
  ])
  const readAlert = () => last.log.find((line) => line.includes('"alert":"signer_outstanding_seconds"'))
  // An old process of a rollout lacks the key of the new signer too.
  await last.runJobs()
  expect(readAlert()).toBeUndefined()
  await ageTransactions('1 hour')
  await last.runJobs()
  expect(readAlert()).toContain(fixture.first)
  expect(await countAttempts()).toBe(1)
  await last.close()
  const next = await start('new')
  await expect.poll(countAttempts, { timeout: 30_000 }).toBe(2)
  await finish(next)
  expect(await listSettlements()).toMatchObject([{ state: 'settled' }])
  expect(await countCharges()).toBe(1n)
})

it('a retired signer sends no payment that another signer can send, even if no other one has gas', async () => {
  const [old, next] = [await start('old'), await start('new')]
  await chain.client.setBalance({ address: fixture.second as Hex, value: 0n })
  expect(await call(next, 'settle', await exact())).toMatchObject({ success: false })
  expect(await settleBy(next, await uptoFor(fixture.first))).toBe(fixture.first)
  expect(await settleBy(old, await exact())).toBe(fixture.first)
  expect(await countCharges()).toBe(2n)
})

describe('the setting RETIRED_SIGNERS', () => {
  const read = (changes: Record<string, string>) => () =>
    readConfiguration(readEnvironment({ ...fixture.envOf('new'), ...changes }))

  it('accepts addresses in any case', () => {
    const { first } = fixture
    for (const address of [first, `0x${first.slice(2).toUpperCase()}`])
      expect(read({ RETIRED_SIGNERS: address })().retiredSigners).toEqual(new Set([first]))
  })

  it('refuses a signer without a key, and the last signer', () => {
    const { first, second } = fixture
    expect(read({ RETIRED_SIGNERS: seller })).toThrow(`there is no key of ${seller}`)
    expect(read({ RETIRED_SIGNERS: `${first},${second}` })).toThrow('contains every signer')
  })
})
