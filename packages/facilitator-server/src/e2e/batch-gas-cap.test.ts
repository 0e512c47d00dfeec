import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { DEFAULT_GAS_CAPS } from '../chains/evm/settings/gas-caps.ts'
import { seller, signedBody } from '../engine/testing.ts'
import { setBatchDelay } from '../ledger/accounts/accounts.ts'
import { settlePrice, testFacilitator } from '../testing.ts'

const CAP = 400_000
const PAYMENTS = 8
const chain = await testChain()
const facilitator = await testFacilitator({
  chain,
  signerKeys: [devAccount(9).privateKey],
  configuration: { gasCaps: { ...DEFAULT_GAS_CAPS, batch: BigInt(CAP) } },
})
afterAll(() => facilitator.close())

it('the gas of each batch is limited, and every payment is settled and charged once', async () => {
  const account = await facilitator.account()
  // More than it takes to send the settles, so that the cap is what splits them.
  await setBatchDelay(facilitator.db, account.id, 2_000)
  const bodies = await Promise.all(
    Array.from({ length: PAYMENTS }, (_, index) =>
      signedBody({ account: devAccount(1), to: seller, value: BigInt(index + 1) }),
    ),
  )
  const responses = await Promise.all(bodies.map((body) => facilitator.post('/settle', body, account.token)))
  expect(responses.map(({ status }) => status)).toEqual(bodies.map(() => 200))
  expect(100n - (await facilitator.available(account)) / settlePrice).toBe(BigInt(PAYMENTS))
  const { rows: batches } = await sql<{ gas: string }>`
    select gas from facilitator.transactions where purpose = 'batch'`.execute(facilitator.db)
  expect(batches.length).toBeGreaterThan(0)
  for (const { gas } of batches) expect(Number(gas)).toBeLessThanOrEqual(CAP)
})
