// Settles of the built-in upstream whose transaction is mined late.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { permit2Address } from '@mintmark/devkit/chain/chain'
import { testChain } from '@mintmark/devkit/chain/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { checkLedger } from '../ledger/check/check.ts'
import { signedBody, signedPermit2Body } from '../payments/testing.ts'
import { type TestAccount, testFacilitator } from '../testing.ts'

const chain = await testChain()
const payer = devAccount(1)
const facilitator = await testFacilitator({
  chain,
  signerKeys: [devAccount(9).privateKey],
  env: { UPSTREAM_TIMEOUT_MS: '500' },
})
afterEach(async () => {
  await chain.client.setAutomine(true)
  await chain.client.mine({ blocks: 1 })
  expect((await checkLedger(facilitator.db)).problems).toEqual([])
})
afterAll(() => facilitator.close())

const seller = '0x00000000000000000000000000000000000fac17'

/** Lists the hashes of the transactions that were signed for the account's settlements, oldest first. */
async function listSigned({ id }: TestAccount): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select distinct a.hash, a.created_at from facilitator.settlements s
    join facilitator.transactions p on p.settlement_id = s.id::text
    join facilitator.transaction_attempts a on a.transaction_id = coalesce(p.batch_id, p.id)
    where s.account_id = ${id} order by a.created_at`.execute(facilitator.db)
  return rows.map(({ hash }) => hash)
}

/** Settles the payment at the root and below `/x402`. Expects that both responses name the transaction. */
async function expectPending(body: object, account: TestAccount, transaction: string): Promise<void> {
  const native = await facilitator.post('/settle', body, account.token)
  expect([native.status, await native.json()]).toEqual([503, { error: 'SettlementPending', transaction }])
  expect(Number(native.headers.get('retry-after'))).toBeGreaterThan(0)
  const x402 = await facilitator.post('/x402/settle', body, account.token)
  expect([x402.status, await x402.json()]).toMatchObject([
    200,
    { success: false, errorReason: 'settlement_pending', transaction },
  ])
  expect(Number(x402.headers.get('retry-after'))).toBeGreaterThan(0)
}

async function signPermit2(): Promise<object> {
  const hash = await chain.as(1).writeContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'approve',
    args: [permit2Address, 10n ** 12n],
  })
  await chain.client.waitForTransactionReceipt({ hash })
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 600)
  return signedPermit2Body({ account: payer, to: seller, value: 10_000n, nonce: '7', validBefore })
}

test.each([
  ['EIP-3009', () => signedBody({ account: payer }), '/settle'],
  ['EIP-3009', () => signedBody({ account: payer }), '/x402/settle'],
  ['Permit2', signPermit2, '/settle'],
])('a settle by %s that times out names its transaction, and so do its repeats', async (_, sign, path) => {
  const account = await facilitator.account()
  const body = await sign()
  await chain.client.setAutomine(false)
  const first = await facilitator.post(path, body, account.token)
  const [hash = 'none'] = await listSigned(account)
  expect(await first.json()).toMatchObject({ transaction: hash })
  expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0)
  await expectPending(body, account, hash)
})

test('each payment of a batch that times out names the transaction of the batch', async () => {
  const account = await facilitator.account()
  await sql`update facilitator.accounts set batch_delay_ms = 100 where id = ${account.id}`.execute(
    facilitator.db,
  )
  const bodies = await Promise.all([1, 2, 3].map(() => signedBody({ account: payer })))
  await chain.client.setAutomine(false)
  const settling = bodies.map((body) => facilitator.post('/x402/settle', body, account.token))
  const responses = await Promise.all((await Promise.all(settling)).map((response) => response.json()))
  const signed = await listSigned(account)
  expect(signed).toHaveLength(1)
  const [hash = 'none'] = signed
  for (const response of responses)
    expect(response).toMatchObject({ errorReason: 'settlement_pending', transaction: hash })
  for (const body of bodies) await expectPending(body, account, hash)
})

test('a pending payment whose transaction was replaced by one with a higher fee names the newer one', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  await chain.client.setAutomine(false)
  await facilitator.post('/settle', body, account.token)
  await sql`
    update facilitator.transaction_attempts set created_at = created_at - interval '10 minutes'`.execute(
    facilitator.db,
  )
  await expect.poll(async () => (await listSigned(account)).length).toBe(2)
  await expectPending(body, account, (await listSigned(account)).at(-1) ?? 'none')
})
