import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { devAccount } from './accounts.ts'
import { devUsdcAbi, multicall3Abi } from './artifacts/abi.ts'
import { tokenGrant } from './plant.ts'
import { testChain } from './testing.ts'

const chain = await testChain()
const multicall = { address: chain.multicall, abi: multicall3Abi } as const
const token = { address: chain.token, abi: devUsdcAbi } as const
const transferOfNobodysMoney = encodeFunctionData({
  abi: devUsdcAbi,
  functionName: 'transfer',
  args: [devAccount(0).address, 1n],
})
const askForName = encodeFunctionData({ abi: devUsdcAbi, functionName: 'name' })

test("viem's multicall returns a result for each call, failed ones included", async () => {
  const results = await chain.client.multicall({
    contracts: [
      { ...token, functionName: 'balanceOf', args: [devAccount(0).address] },
      { ...token, functionName: 'transfer', args: [devAccount(0).address, 1n] },
      { ...token, functionName: 'symbol' },
    ],
  })
  expect(results.map((answer) => answer.status)).toEqual(['success', 'failure', 'success'])
  expect(results[0]?.result).toBe(tokenGrant)
  expect(results[2]?.result).toBe('USDC')
})

test('tryAggregate reports failures or reverts with them, depending on its argument', async () => {
  const calls = [
    { target: chain.token, callData: askForName },
    { target: chain.token, callData: transferOfNobodysMoney },
  ]
  const attempt = (requireSuccess: boolean) =>
    chain.client.simulateContract({
      ...multicall,
      functionName: 'tryAggregate',
      args: [requireSuccess, calls],
    })
  expect((await attempt(false)).result.map((result) => result.success)).toEqual([true, false])
  await expect(attempt(true)).rejects.toThrow('call failed')
})

test('aggregate returns the block it ran in', async () => {
  const calls = [{ target: chain.token, callData: askForName }]
  const { result } = await chain.client.simulateContract({
    ...multicall,
    functionName: 'aggregate',
    args: [calls],
  })
  expect(result[0]).toBeGreaterThan(0n)
  expect(result[1]).toHaveLength(1)
})

test('aggregate3Value sends each call its value and wants the exact sum', async () => {
  const to = [
    '0x00000000000000000000000000000000000000b1',
    '0x00000000000000000000000000000000000000b2',
  ] as const
  const calls = [
    { target: to[0], allowFailure: false, value: 3n, callData: '0x' },
    { target: to[1], allowFailure: false, value: 4n, callData: '0x' },
  ] as const
  const send = (value: bigint) =>
    chain.as(7).writeContract({ ...multicall, functionName: 'aggregate3Value', args: [calls], value })
  // With too little the second call fails; with too much the rest would be stuck in the contract.
  await expect(send(6n)).rejects.toThrow('call failed')
  await expect(send(8n)).rejects.toThrow('value mismatch')
  await chain.client.waitForTransactionReceipt({ hash: await send(7n) })
  expect(await chain.client.getBalance({ address: to[0] })).toBe(3n)
  expect(await chain.client.getBalance({ address: to[1] })).toBe(4n)
})

test('the getters tell of the chain', async () => {
  const read = (functionName: 'getChainId' | 'getBlockNumber' | 'getCurrentBlockTimestamp') =>
    chain.client.readContract({ ...multicall, functionName })
  const block = await chain.client.getBlock()
  expect(await read('getChainId')).toBe(BigInt(chain.chainId))
  expect(await read('getBlockNumber')).toBe(block.number)
  expect(await read('getCurrentBlockTimestamp')).toBeGreaterThanOrEqual(block.timestamp)
  const { address } = devAccount(8)
  expect(
    await chain.client.readContract({ ...multicall, functionName: 'getEthBalance', args: [address] }),
  ).toBe(await chain.client.getBalance({ address }))
})
