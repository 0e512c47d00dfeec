// Payments that the operator refuses, by a list and by a service.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { type Behavior, fails, hangs, receiver, redirects, resets } from '@mintmark/devkit/testing'
import { createLog, readEnvironment } from '@mintmark/server-kit'
import type { LocalAccount } from 'viem'
import { afterAll, beforeEach, expect, it } from 'vitest'
import {
  approvePermit2,
  callsOf,
  claimBody,
  depositBody,
  fund,
  newAccount,
  openChannel,
  settleBody,
  voucherBody,
} from '../e2e/testing-channels.ts'
import { seller, signedBody, signedPermit2Body } from '../engine/testing.ts'
import { startFacilitator } from '../server.ts'
import { type TestAccount, type TestFacilitator, testFacilitator } from '../testing.ts'

const SETTLES = 100
const REASON = 'order 17 of the ministry'
const REFUSED = 'payment_refused'
const [listed, other] = [devAccount(1), devAccount(2)]

const stops = new AsyncDisposableStack()
afterAll(() => stops.disposeAsync())
const chain = await testChain()
const folder = await mkdtemp(join(tmpdir(), 'screening-'))
stops.defer(() => rm(folder, { recursive: true }))
const file = join(folder, 'list')
const service = await receiver()
stops.defer(() => service.close())
const elsewhere = await receiver()
stops.defer(() => elsewhere.close())

async function start(signer: number, env: Record<string, string>): Promise<TestFacilitator> {
  const started = await testFacilitator({ chain, signerKeys: [devAccount(signer).privateKey], env })
  stops.defer(() => started.close())
  return started
}

const responds =
  (body: unknown, status = 200): Behavior =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** Lists addresses in the file, and lets the server read it. */
async function list(...lines: readonly string[]): Promise<void> {
  await writeFile(file, ['# refused', ...lines].join('\n'))
  await facilitator.runJobs()
}

await writeFile(file, '# nobody')
const facilitator = await start(9, { SCREENING_FILE: file, SCREENING_URL: service.url })
const open = await start(8, { SCREENING_URL: service.url, SCREENING_FAILS: 'open' })

let account: TestAccount
let calls: ReturnType<typeof callsOf>
let settlementsBefore: number
let linesBefore: number
beforeEach(async () => {
  service.behavior = responds({ allowed: true })
  service.received.length = 0
  await list()
  account = await facilitator.account({ settles: SETTLES })
  calls = callsOf(facilitator, account)
  settlementsBefore = (await facilitator.settlements()).length
  linesBefore = facilitator.log.length
})

/** Expects that both HTTP APIs refuse a payment by verify and by settle, with one reason, and keep nothing. */
async function expectRefused(body: object, reason = REFUSED): Promise<string> {
  const x402 = { verify: await calls.verify(body), settle: await calls.settle(body) }
  expect(x402.verify).toMatchObject({ isValid: false, invalidReason: reason })
  expect(x402.settle).toMatchObject({ success: false, errorReason: reason, transaction: '' })
  const verified = await (await facilitator.post('/verify', body, account.token)).json()
  expect(verified).toMatchObject({ valid: false, reason })
  const settled = await facilitator.post('/settle', body, account.token)
  const text = await settled.text()
  if (reason === REFUSED) {
    expect(settled.status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ error: reason })
  } else {
    expect(settled.status).toBe(503)
    expect(settled.headers.get('retry-after')).toBe('5')
    expect(JSON.parse(text)).toMatchObject({ error: 'SettlementNotSent' })
  }
  await expectNothingKept()
  return JSON.stringify([x402, verified, text])
}

async function expectNothingKept(): Promise<void> {
  expect((await facilitator.settlements()).length).toBe(settlementsBefore)
  expect(await facilitator.available(account)).toBe(BigInt(SETTLES) * 2_000_000_000_000_000n)
}

const listLog = () => facilitator.log.slice(linesBefore).join('\n')

/** Reads a counter of screened payments. */
async function count(outcome: string): Promise<number> {
  const metrics = await facilitator.metrics()
  return Number(new RegExp(`screenings_total\\{outcome="${outcome}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0)
}

it('refuses a listed payer in any case by verify and settle of both HTTP APIs, and only the operator learns why', async () => {
  const before = await count('refused_by_list')
  for (const address of [listed.address, listed.address.toLowerCase(), listed.address.toUpperCase()]) {
    await list(`${address} ${REASON}`)
    const responses = await expectRefused(await signedBody({ account: listed }))
    expect(responses).not.toContain(REASON)
  }
  expect(listLog()).toContain(REASON)
  expect(listLog()).toContain(`"address":"${listed.address.toLowerCase()}"`)
  expect(await count('refused_by_list')).toBe(before + 12)
  expect(service.received).toEqual([])
  expect(await calls.settle(await signedBody({ account: other }))).toMatchObject({ success: true })
})

it('refuses a payment to a listed recipient, also by a settle without a verify and if the recipient is known as a payer', async () => {
  await list(listed.address, seller)
  expect(await calls.settle(await signedBody({ account: other }))).toMatchObject({ errorReason: REFUSED })
  expect(await calls.settle(await signedBody({ account: other, to: listed.address }))).toMatchObject({
    errorReason: REFUSED,
  })
  await expectNothingKept()
  await expectRefused(await signedBody({ account: listed, to: listed.address }))
})

it('does not reveal whether a wallet is listed to a caller without its signature', async () => {
  await list(listed.address)
  const forged = await signedBody({ account: other, from: listed.address })
  expect(await calls.verify(forged)).toMatchObject({ invalidReason: 'invalid_exact_evm_payload_signature' })
  expect(await calls.settle(forged)).toMatchObject({ errorReason: 'invalid_exact_evm_payload_signature' })
})

it.each(['exact', 'upto'] as const)('refuses a listed payer of Permit2 in the scheme %s', async (scheme) => {
  const payer = newAccount()
  await fund(chain, payer.address)
  await approvePermit2(chain, payer)
  const sign = () =>
    signedPermit2Body({
      account: payer,
      to: seller,
      value: 10_000n,
      nonce: `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}`,
      validBefore: BigInt(Math.floor(Date.now() / 1000) + 600),
      ...(scheme === 'upto' && { maximum: 20_000n, facilitator: devAccount(9).address }),
    })
  expect(await calls.settle(await sign())).toMatchObject({ success: true })
  settlementsBefore += 1
  account = await facilitator.account({ settles: SETTLES })
  calls = callsOf(facilitator, account)
  await list(payer.address)
  const body = await sign()
  await expectRefused(body)
})

it('refuses the deposits, vouchers and claims of a listed payer, and the payouts to a listed seller', async () => {
  const [one, two] = [await openChannel(chain), await openChannel(chain)]
  const shared = await openChannel(chain, {
    authorizer: one.authorizer,
    receiver: one.config.receiver,
  })
  for (const channel of [one, shared])
    expect(await calls.settle(await depositBody(chain, channel))).toMatchObject({ success: true })
  const settlements = (await facilitator.settlements()).length
  await list(shared.payer.address, two.payer.address)
  expect(await calls.settle(await depositBody(chain, two))).toMatchObject({ errorReason: REFUSED })
  expect(await calls.verify(await voucherBody(chain, shared, 20_000n))).toMatchObject({
    invalidReason: REFUSED,
  })
  const both = [one, shared].map((channel) => ({ channel, total: 10_000n }))
  expect(await calls.settle(await claimBody(chain, both))).toMatchObject({ errorReason: REFUSED })
  expect((await facilitator.settlements()).length).toBe(settlements)
  expect(await calls.settle(await claimBody(chain, both.slice(0, 1)))).toMatchObject({ success: true })
  await list(one.config.receiver)
  expect(await calls.settle(settleBody(one))).toMatchObject({ errorReason: REFUSED })
  await list()
  expect(await calls.settle(settleBody(one))).toMatchObject({ success: true })
})

it('refuses only the listed payer of a batch', async () => {
  await facilitator.db
    .updateTable('facilitator.accounts')
    .set({ batch_delay_ms: 200 })
    .where('id', '=', account.id)
    .execute()
  await list(listed.address)
  const payers: LocalAccount[] = [other, listed, other, listed, other]
  const bodies = await Promise.all(payers.map((payer) => signedBody({ account: payer })))
  const responses = await Promise.all(bodies.map((body) => calls.settle(body)))
  expect(responses.map(({ success }) => success)).toEqual([true, false, true, false, true])
  expect(responses[1]).toMatchObject({ errorReason: REFUSED })
  expect((await facilitator.settlements()).length).toBe(settlementsBefore + 3)
})

it('still reports the outcome of a payment that was made before its payer was listed', async () => {
  const body = await signedBody({ account: listed })
  const headers = { 'idempotency-key': 'order-7' }
  const settle = () => facilitator.post('/x402/settle', body, account.token, headers)
  const first = await (await settle()).json()
  expect(first).toMatchObject({ success: true })
  await list(listed.address)
  expect(await (await settle()).json()).toEqual(first)
})

it('sends payer, recipient, network, asset and amount to the service, and refuses what it refuses', async () => {
  const body = await signedBody({ account: other, value: 12_345n })
  expect(await calls.verify(body)).toMatchObject({ isValid: true })
  expect(service.received.map((request) => JSON.parse(request.body))).toEqual([
    {
      payer: other.address.toLowerCase(),
      payTo: seller.toLowerCase(),
      network: 'eip155:84532',
      asset: chain.token.toLowerCase(),
      amount: '12345',
    },
  ])
  service.behavior = responds({ allowed: false, reason: REASON })
  const before = await count('refused_by_service')
  expect(await expectRefused(body)).not.toContain(REASON)
  expect(listLog()).toContain(REASON)
  expect(await count('refused_by_service')).toBe(before + 4)
  service.behavior = responds({ allowed: true })
  expect(await calls.settle(body)).toMatchObject({ success: true })
})

const page: Behavior = (response) => response.writeHead(200).end('<html>allowed</html>')
const trickles: Behavior = (response) => {
  response.writeHead(200)
  response.write('{"allowed":true')
}
it.each<[string, Behavior]>([
  ['hangs', hangs],
  ['never ends its response', trickles],
  ['redirects', (response, call) => redirects(elsewhere.url)(response, call)],
  ['responds with HTML', page],
  ['responds with 500', fails],
  ['resets the connection', resets],
  ['responds with another type', responds({ allowed: 'true' })],
  ['responds with an endless text', (response) => response.end('x'.repeat(1_000_000))],
  ['allows with status 403', responds({ allowed: true }, 403)],
])(
  'a service that %s refuses the payment for now, or accepts it with SCREENING_FAILS=open',
  async (_, behavior) => {
    elsewhere.behavior = responds({ allowed: true })
    service.behavior = behavior
    const [before, body] = [await count('undecided'), await signedBody({ account: other })]
    const responses = await Promise.all([
      calls.verify(body),
      calls.settle(body),
      facilitator.post('/settle', body, account.token).then((response) => response.status),
      callsOf(open, await open.account()).verify(body),
    ])
    expect(responses).toMatchObject([
      { isValid: false, invalidReason: 'unexpected_verify_error' },
      { success: false, errorReason: 'unexpected_verify_error', transaction: '' },
      503,
      { isValid: true },
    ])
    await expectNothingKept()
    expect(await count('undecided')).toBe(before + 3)
    expect(elsewhere.received).toEqual([])
    expect(listLog()).not.toContain(service.url)
  },
)

it('settles with SCREENING_FAILS=open while the service fails, and refuses what it refuses', async () => {
  const { settle } = callsOf(open, await open.account())
  service.behavior = fails
  expect(await settle(await signedBody({ account: other }))).toMatchObject({ success: true })
  service.behavior = responds({ allowed: false })
  expect(await settle(await signedBody({ account: other }))).toMatchObject({ errorReason: REFUSED })
})

it('uses the last valid list while the file is broken, and tells the operator', async () => {
  await list(listed.address)
  await writeFile(file, `${other.address}\nnobody`)
  await facilitator.runJobs()
  expect(await facilitator.metrics()).toContain('screening_file_valid{setting="SCREENING_FILE"} 0')
  expect(listLog()).toContain('SCREENING_FILE: line 2 does not begin with an address')
  await expectRefused(await signedBody({ account: listed }))
  expect(await calls.settle(await signedBody({ account: other }))).toMatchObject({ success: true })
  await list(other.address)
  expect(await facilitator.metrics()).toContain('screening_file_valid{setting="SCREENING_FILE"} 1')
  expect(await calls.settle(await signedBody({ account: other }))).toMatchObject({ errorReason: REFUSED })
})

it.each([
  [
    'a list that does not exist',
    { SCREENING_FILE: join(folder, 'missing') },
    'SCREENING_FILE: the file cannot be read (ENOENT)',
  ],
  [
    'a service without TLS',
    { SCREENING_URL: 'http://screening.example' },
    'SCREENING_URL: expected https://',
  ],
  [
    'a password in the address of the service',
    { SCREENING_URL: 'https://user:hunter2@screening.example' },
    'a user and a password are not sent',
  ],
])('does not start with %s', async (_, settings, problem) => {
  const env = readEnvironment({ ...facilitator.env, SCREENING_FILE: '', SCREENING_URL: '', ...settings })
  await expect(startFacilitator(env, createLog('facilitator', 'silent'))).rejects.toThrow(problem)
})
