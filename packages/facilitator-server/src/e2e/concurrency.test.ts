import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { afterAll, afterEach, expect, test } from 'vitest'
import { hex, signedBody, version1Body } from '../engine/testing.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { settlePrice, type TestAccount, testFacilitator } from '../testing.ts'

const chain = await testChain()
const payer = devAccount(1)
const facilitator = await testFacilitator({
  chain,
  signerKeys: [devAccount(8).privateKey, devAccount(9).privateKey],
})
afterEach(async () => {
  expect((await checkLedger(facilitator.db)).problems).toEqual([])
})
afterAll(() => facilitator.close())

const times = <T>(count: number, each: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => each(index)))
const balanceOf = (address: string) =>
  chain.client.readContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [hex(address)],
  })
const charged = async (account: TestAccount) => 100n - (await facilitator.available(account)) / settlePrice
let sellers = 0
/** A wallet that was never paid before. */
const newSeller = () => `0x${(++sellers).toString(16).padStart(40, 'c')}`
const transfers = async (to: string) =>
  chain.client.getContractEvents({
    address: chain.token,
    abi: devUsdcAbi,
    eventName: 'Transfer',
    args: { to: hex(to) },
    fromBlock: 0n,
  })

test('settles 50 concurrent distinct payments, each in a separate transaction', async () => {
  const account = await facilitator.account()
  const to = newSeller()
  const bodies = await times(50, (index) => signedBody({ account: payer, to, value: BigInt(index + 1) }))
  const responses = await times(50, (index) => facilitator.post('/settle', bodies[index], account.token))
  expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200))
  const settled = responses.map(
    (response) =>
      JSON.parse(Buffer.from(response.headers.get('payment-response') ?? '', 'base64').toString()) as {
        transaction: string
      },
  )
  expect(new Set(settled.map(({ transaction }) => transaction)).size).toBe(50)
  expect(await balanceOf(to)).toBe((50n * 51n) / 2n)
  expect(await charged(account)).toBe(50n)
})

test('makes one transaction, charge and delivery for 20 concurrent settles of a payment in both HTTP APIs and versions', async () => {
  for (let round = 0; round < 5; round += 1) {
    const account = await facilitator.account()
    const to = newSeller()
    const body = await signedBody({ account: payer, to })
    const outcomes = await times(20, async (index) => {
      const path = index % 2 ? '/settle' : '/x402/settle'
      const response = await facilitator.post(path, index % 4 < 2 ? body : version1Body(body), account.token)
      if (path === '/settle') {
        return response.status === 200 ? 'settled' : ((await response.json()) as { error: string }).error
      }
      const settlement = (await response.json()) as { success: boolean; errorReason?: string }
      return settlement.success ? 'settled' : settlement.errorReason
    })
    expect(outcomes.filter((outcome) => outcome === 'settled')).toHaveLength(1)
    // Repeats that do not wait respond at once.
    const others = ['duplicate_settlement', 'settlement_pending', 'SettlementPending']
    expect(outcomes.filter((outcome) => others.includes(outcome ?? ''))).toHaveLength(19)
    expect(await transfers(to)).toHaveLength(1)
    expect(await balanceOf(to)).toBe(10_000n)
    expect(await charged(account)).toBe(1n)
    const rows = (await facilitator.settlements()).filter(({ account_id }) => account_id === account.id)
    expect(rows).toMatchObject([{ state: 'settled', hold: 'captured' }])
  }
})

test.each([
  ['balance', { settles: 30, quota: 100 }],
  ['quota', { settles: 100, quota: 30 }],
])(
  'settles exactly 30 of 100 concurrent payments of an account whose %s covers 30, and responds 402 to 70',
  async (_, means) => {
    const account = await facilitator.account(means)
    const to = newSeller()
    const bodies = await times(100, () => signedBody({ account: payer, to, value: 7n }))
    const responses = await times(100, (index) => facilitator.post('/settle', bodies[index], account.token))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.filter((status) => status === 402)).toHaveLength(70)
    expect(await balanceOf(to)).toBe(30n * 7n)
    expect(await facilitator.available(account)).toBe(BigInt(means.settles - 30) * settlePrice)
    const rows = (await facilitator.settlements()).filter(({ account_id }) => account_id === account.id)
    expect(rows).toHaveLength(30)
  },
)
