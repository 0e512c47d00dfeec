import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testMoney } from '../../engine/testing-engine.ts'
import { creditDeposit } from './deposits.ts'
import { listSuspendedDeposits } from './suspended-deposits.ts'

const hex = (bytes: number): string => `0x${randomBytes(bytes).toString('hex')}`

test('lists the largest sum of a wallet first, so that earlier dust of others cannot hide it', async () => {
  const money = await testMoney()
  const credit = (payer: string, amount: bigint) =>
    creditDeposit(money.db, {
      chainId: 84532,
      hash: hex(32),
      logIndex: 0,
      blockNumber: 1n,
      blockHash: hex(32),
      payer,
      amount,
    })
  for (const amount of [1n, 2n, 3n]) expect(await credit(hex(20), amount)).toBe('suspended')
  // The sum of a wallet decides, as a number.
  const [depositor, second] = [hex(20), hex(20)]
  await credit(second, 10n)
  await credit(depositor, 6n)
  await credit(depositor, 6n)
  expect(await listSuspendedDeposits(money.db, 2)).toMatchObject([
    { payer: depositor, amount: '12', deposits: 2 },
    { payer: second, amount: '10', deposits: 1 },
  ])
})
