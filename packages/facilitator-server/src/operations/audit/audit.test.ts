import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { sql } from 'kysely'
import { parseEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { allowAssets } from '../../chains/evm/settings/allowed-assets.ts'
import { randomKey } from '../../chains/evm/testing.ts'
import { hex, signedBody } from '../../engine/testing.ts'
import { executePayment } from '../../engine/testing-execution.ts'
import { settlePrice, testFacilitator } from '../../testing.ts'
import { type AuditOptions, readLastAudit, runAudit } from './audit.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const signerKey = hex(randomKey())
const signer = hex(privateKeyToAddress(signerKey))
await chain.client.setBalance({ address: signer, value: parseEther('1') })
// Operators' credits are owed to payers like deposits.
const surplus = parseEther('1000')
await chain.client.setBalance({ address: chain.treasury, value: surplus })
await chain.client.mine({ blocks: 4 })
const facilitator = await testFacilitator({
  chain,
  signerKeys: [signerKey],
  env: { TREASURY_SURPLUS_WEI: String(surplus) },
})
const { db } = facilitator
const account = await facilitator.account()

const [opened] = openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 3 } }]).all
if (opened === undefined) throw new Error('No chain was opened')
const logged: { fields: object; message: string }[] = []
const record = (fields: object, message: string) => void logged.push({ fields, message })
const options: AuditOptions = {
  db,
  chains: [opened],
  signers: [signer],
  assets: allowAssets(),
  treasury: { chain: opened, address: chain.treasury, surplus },
  log: { warn: record, error: record },
}
const audit = () => runAudit(options, 0)

afterEach(() => {
  node.interfere = () => undefined
  logged.length = 0
})
afterAll(async () => {
  await facilitator.close()
  node.close()
})

async function settle(): Promise<void> {
  const response = await facilitator.post(
    '/settle',
    await signedBody({ account: devAccount(1) }),
    account.token,
  )
  expect(response.status).toBe(200)
}

/** Waits until the sweep has recorded every transaction as final. */
async function finalize(): Promise<void> {
  await chain.client.mine({ blocks: 4 })
  await vi.waitFor(
    async () => {
      const { rows } = await sql`select from facilitator.transactions where state <> 'final'`.execute(db)
      expect(rows).toHaveLength(0)
    },
    { timeout: 60_000, interval: 100 },
  )
}

/** Changes rows as a fault would, although the ledger is append-only. */
async function damage(statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}

test('finds nothing after settles, and finds settled payments whose settlement or charge is missing', async () => {
  await settle()
  await settle()
  await finalize()
  await sql`update facilitator.transactions set created_at = created_at - interval '1 hour'`.execute(db)
  // The balance of the treasury was set in a block that the deposit watch reads first.
  await vi.waitFor(async () => expect(await audit()).toEqual([]), { timeout: 60_000, interval: 200 })
  logged.length = 0
  expect(await audit()).toEqual([])
  expect(logged).toEqual([])
  expect(await readLastAudit(db)).toMatchObject({
    problems: { ledger: 0, settlements: 0, signers: 0, payments: 0, chains: 0 },
  })

  const [, second] = await facilitator.settlements()
  await damage(
    `update facilitator.transactions set settlement_id = '999' where settlement_id = '${second?.id}'`,
  )
  expect(await audit()).toEqual([
    {
      kind: 'settlements',
      detail: expect.stringMatching(/^transaction 0x\w{64} of settlement 999 succeeded.* is missing$/),
    },
  ])
  await damage(
    `update facilitator.transactions set settlement_id = '${second?.id}' where settlement_id = '999'`,
  )
})

test('finds a balance that differs from its entries, logs an alert and stores the number for the metric', async () => {
  await damage(`update facilitator.accounts set available = available + 1 where id = ${account.id}`)
  expect(await audit()).toMatchObject([
    { kind: 'ledger', detail: expect.stringContaining('the balance of an account equals its entries') },
  ])
  expect(logged).toMatchObject([
    { fields: { alert: 'audit', kind: 'ledger' }, message: 'The audit found a problem' },
  ])
  expect(await facilitator.metrics()).toContain('mintmark_facilitator_audit_problems{kind="ledger"} 1\n')
  await damage(`update facilitator.accounts set available = available - 1 where id = ${account.id}`)
  expect(await audit()).toEqual([])
  expect(await facilitator.metrics()).toContain('mintmark_facilitator_audit_problems{kind="ledger"} 0\n')
  expect(await facilitator.available(account)).toBe(98n * settlePrice)
})

test('finds transactions of our key that another program sent, once', async () => {
  await chain.client.impersonateAccount({ address: signer })
  for (const _ of [1, 2]) {
    await chain.confirm(chain.client.sendTransaction({ account: signer, to: signer, value: 0n, chain: null }))
  }
  await chain.client.mine({ blocks: 4 })
  expect(await audit()).toEqual([
    {
      kind: 'signers',
      detail: expect.stringMatching(/^2 transactions of 0x\w{40} on chain 84532 are not in the database/),
    },
  ])
  expect(await audit()).toEqual([])
})

test('reports transactions of another program again if the process dies before it has logged them', async () => {
  await chain.confirm(chain.client.sendTransaction({ account: signer, to: signer, value: 0n, chain: null }))
  await chain.client.mine({ blocks: 4 })
  const die = () => {
    throw new Error('the process died')
  }
  const dying = { ...options, log: { warn: record, error: die } }
  await expect(runAudit(dying, 0)).rejects.toThrow('the process died')
  expect(await audit()).toMatchObject([{ kind: 'signers' }])
  expect(await audit()).toEqual([])
})

test('finds a payment in the logs of the chain that has no settlement, once, when it must be settled', async () => {
  await chain.confirm(executePayment(chain.client, signer, await signedBody({ account: devAccount(2) })))
  await chain.client.mine({ blocks: 4 })
  // The nonces are compared at once.
  expect((await audit())?.map(({ kind }) => kind)).toEqual(['signers'])
  const letTimePass = () =>
    sql`update facilitator.audited_blocks set known_at = known_at - interval '1 hour'`.execute(db)
  const found: unknown[] = []
  // A run compares the blocks that an earlier run has noted, and then notes the next ones.
  for (let run = 0; run < 4; run += 1) {
    await letTimePass()
    found.push(...((await audit()) ?? []))
  }
  const detail = expect.stringMatching(/^the payment 0x\w{64} by 0x\w{64} on chain 84532 has no settlement$/)
  expect(found).toEqual([{ kind: 'payments', detail }])
})

test('reports a chain that cannot be read, and still checks the ledger', async () => {
  node.interfere = () => 'hang up'
  await damage(`update facilitator.accounts set available = available + 1 where id = ${account.id}`)
  const kinds = (await audit())?.map(({ kind }) => kind)
  expect(new Set(kinds)).toEqual(new Set(['ledger', 'chains']))
  await damage(`update facilitator.accounts set available = available - 1 where id = ${account.id}`)
  expect(JSON.stringify(logged)).not.toContain(node.url)
})

test('is run by one of several processes per interval', async () => {
  await sql`delete from facilitator.audits`.execute(db)
  const results = await Promise.all([1, 2, 3].map(() => runAudit(options, 3600)))
  expect(results.filter((problems) => problems !== undefined)).toHaveLength(1)
})
