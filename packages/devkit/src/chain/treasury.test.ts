import { parseEther, parseEventLogs, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { devAccount } from './accounts.ts'
import { treasuryAbi } from './artifacts/abi.ts'
import { treasuryOwner } from './plant.ts'
import { testChain } from './testing.ts'

const chain = await testChain()
const treasury = { address: chain.treasury, abi: treasuryAbi } as const
const depositor = chain.as(4)
const amount = parseEther('0.002')

async function eventsOf(sending: Promise<`0x${string}`>) {
  const { logs } = await chain.client.waitForTransactionReceipt({ hash: await sending })
  return parseEventLogs({ abi: treasuryAbi, logs }).map((event) => [event.eventName, event.args])
}

test('a transfer to the treasury is a deposit of the sender', async () => {
  const sent = depositor.sendTransaction({ to: chain.treasury, value: amount })
  expect(await eventsOf(sent)).toEqual([['Deposited', { payer: depositor.account.address, amount }]])
})

test('depositFor is a deposit of the given payer', async () => {
  const payer = devAccount(5).address
  const sent = depositor.writeContract({
    ...treasury,
    functionName: 'depositFor',
    args: [payer],
    value: amount,
  })
  expect(await eventsOf(sent)).toEqual([['Deposited', { payer, amount }]])
})

test('rejects a deposit of zero and a deposit for the zero address', async () => {
  await expect(depositor.sendTransaction({ to: chain.treasury, value: 0n })).rejects.toThrow(
    'nothing deposited',
  )
  await expect(
    depositor.writeContract({ ...treasury, functionName: 'depositFor', args: [zeroAddress], value: amount }),
  ).rejects.toThrow('zero address')
})

test('only the owner can withdraw', async () => {
  await eventsOf(depositor.sendTransaction({ to: chain.treasury, value: amount }))
  const to = '0x00000000000000000000000000000000000000AA'
  const withdraw = (account: number) =>
    chain.as(account).writeContract({ ...treasury, functionName: 'withdraw', args: [to, amount] })
  await expect(withdraw(4)).rejects.toThrow('caller is not the owner')
  expect(devAccount(0).address).toBe(treasuryOwner)
  expect(await eventsOf(withdraw(0))).toEqual([['Withdrawn', { to, amount }]])
  expect(await chain.client.getBalance({ address: to })).toBe(amount)
})

test('transfers the ownership', async () => {
  const next = devAccount(6).address
  const change = (account: number, to: typeof next) =>
    chain.as(account).writeContract({ ...treasury, functionName: 'changeOwner', args: [to] })
  await eventsOf(change(0, next))
  await expect(change(0, treasuryOwner)).rejects.toThrow('caller is not the owner')
  expect(await eventsOf(change(6, treasuryOwner))).toEqual([
    ['OwnerChanged', { previousOwner: next, newOwner: treasuryOwner }],
  ])
})
