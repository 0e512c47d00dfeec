import { type Address, domainSeparator, type Hex, parseEventLogs, parseSignature, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { devAccount } from './accounts.ts'
import { devUsdcAbi, smartWalletAbi } from './artifacts/abi.ts'
import smartWallet from './artifacts/SmartWallet.json' with { type: 'json' }
import {
  type Authorization,
  newAuthorization,
  signAuthorization,
  signCancellation,
  tokenDomain,
} from './authorization.ts'
import { testChain } from './testing.ts'

const chain = await testChain()
const payer = devAccount(1)
const payee = devAccount(2)
const relayer = chain.as(9)
const token = { address: chain.token, abi: devUsdcAbi } as const

const balanceOf = (address: Address) =>
  chain.client.readContract({ ...token, functionName: 'balanceOf', args: [address] })
const isSpent = ({ from, nonce }: Authorization) =>
  chain.client.readContract({ ...token, functionName: 'authorizationState', args: [from, nonce] })
const terms = (changes: Partial<Authorization> = {}) =>
  newAuthorization({ from: payer.address, to: payee.address, value: 1_000n, ...changes })
const inOrder = (a: Authorization) => [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce] as const

/** Submits an authorization as the relayer and returns the token's events in order. */
async function submit(authorization: Authorization, signature: Hex) {
  const hash = await relayer.writeContract({
    ...token,
    functionName: 'transferWithAuthorization',
    args: [...inOrder(authorization), signature],
  })
  const { logs } = await chain.client.waitForTransactionReceipt({ hash })
  return parseEventLogs({ abi: devUsdcAbi, logs })
}

async function now(): Promise<bigint> {
  return (await chain.client.getBlock()).timestamp
}

test("the token has the name, version, decimals and domain of Base Sepolia's USDC", async () => {
  const read = (functionName: 'name' | 'version' | 'symbol' | 'decimals' | 'DOMAIN_SEPARATOR') =>
    chain.client.readContract({ ...token, functionName })
  expect(await read('name')).toBe('USDC')
  expect(await read('version')).toBe('2')
  expect(await read('symbol')).toBe('USDC')
  expect(await read('decimals')).toBe(6)
  expect(await read('DOMAIN_SEPARATOR')).toBe(domainSeparator({ domain: tokenDomain }))
})

test('an authorization moves the value and emits AuthorizationUsed, then Transfer', async () => {
  const before = [await balanceOf(payer.address), await balanceOf(payee.address)] as const
  const authorization = terms()
  const events = await submit(authorization, await signAuthorization(payer, authorization))
  expect(events.map((event) => [event.eventName, event.args])).toEqual([
    ['AuthorizationUsed', { authorizer: payer.address, nonce: authorization.nonce }],
    ['Transfer', { from: payer.address, to: payee.address, value: 1_000n }],
  ])
  expect(await balanceOf(payer.address)).toBe(before[0] - 1_000n)
  expect(await balanceOf(payee.address)).toBe(before[1] + 1_000n)
  expect(await isSpent(authorization)).toBe(true)
})

test('transferWithAuthorization with v, r and s moves the value', async () => {
  const before = await balanceOf(payee.address)
  const authorization = terms()
  const { r, s, yParity } = parseSignature(await signAuthorization(payer, authorization))
  const hash = await relayer.writeContract({
    ...token,
    functionName: 'transferWithAuthorization',
    args: [...inOrder(authorization), 27 + yParity, r, s],
  })
  await chain.client.waitForTransactionReceipt({ hash })
  expect(await balanceOf(payee.address)).toBe(before + 1_000n)
})

test('rejects a used nonce', async () => {
  const authorization = terms()
  const signature = await signAuthorization(payer, authorization)
  await submit(authorization, signature)
  const before = await balanceOf(payer.address)
  await expect(submit(authorization, signature)).rejects.toThrow('authorization is used or canceled')
  expect(await balanceOf(payer.address)).toBe(before)
})

test('rejects a cancelled nonce and emits an event for the cancellation', async () => {
  const authorization = terms()
  const cancellation = await signCancellation(payer, payer.address, authorization.nonce)
  const hash = await relayer.writeContract({
    ...token,
    functionName: 'cancelAuthorization',
    args: [payer.address, authorization.nonce, cancellation],
  })
  const { logs } = await chain.client.waitForTransactionReceipt({ hash })
  expect(parseEventLogs({ abi: devUsdcAbi, logs })).toMatchObject([
    { eventName: 'AuthorizationCanceled', args: { authorizer: payer.address, nonce: authorization.nonce } },
  ])
  await expect(submit(authorization, await signAuthorization(payer, authorization))).rejects.toThrow(
    'authorization is used or canceled',
  )
})

test('rejects a cancellation signed by another account', async () => {
  const { nonce } = terms()
  const cancellation = await signCancellation(payee, payer.address, nonce)
  const cancel = relayer.writeContract({
    ...token,
    functionName: 'cancelAuthorization',
    args: [payer.address, nonce, cancellation],
  })
  await expect(cancel).rejects.toThrow('invalid signature')
})

test('rejects an authorization from the second of validBefore on', async () => {
  const authorization = terms({ validBefore: (await now()) + 1_000n })
  const signature = await signAuthorization(payer, authorization)
  await chain.client.setNextBlockTimestamp({ timestamp: authorization.validBefore })
  await chain.client.mine({ blocks: 1 })
  await expect(submit(authorization, signature)).rejects.toThrow('authorization is expired')
})

test('rejects an authorization until the second of validAfter has passed', async () => {
  const authorization = terms({ validAfter: (await now()) + 1_000n })
  const signature = await signAuthorization(payer, authorization)
  await chain.client.setNextBlockTimestamp({ timestamp: authorization.validAfter })
  await chain.client.mine({ blocks: 1 })
  // A call at the latest block has exactly its timestamp; a transaction's block may be a second later.
  const early = chain.client.simulateContract({
    ...token,
    functionName: 'transferWithAuthorization',
    args: [...inOrder(authorization), signature],
    blockTag: 'latest',
  })
  await expect(early).rejects.toThrow('authorization is not yet valid')
  await chain.client.setNextBlockTimestamp({ timestamp: authorization.validAfter + 1n })
  await chain.client.mine({ blocks: 1 })
  expect(await submit(authorization, signature)).toHaveLength(2)
})

test('rejects parameters that differ from the signed ones', async () => {
  const signed = terms()
  const signature = await signAuthorization(payer, signed)
  await expect(submit({ ...signed, value: 1_001n }, signature)).rejects.toThrow('invalid signature')
  await expect(submit({ ...signed, to: relayer.account.address }, signature)).rejects.toThrow(
    'invalid signature',
  )
})

test('rejects the malleable twin of a signature, with the upper s', async () => {
  const authorization = terms()
  const { r, s, yParity } = parseSignature(await signAuthorization(payer, authorization))
  const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const twin = toHex(curveOrder - BigInt(s), { size: 32 })
  const submitted = relayer.writeContract({
    ...token,
    functionName: 'transferWithAuthorization',
    args: [...inOrder(authorization), 28 - yParity, r, twin],
  })
  await expect(submitted).rejects.toThrow('s is in the upper half')
})

test('rejects an authorization that exceeds the balance of the payer', async () => {
  const poor = privateKeyToAccount(`0x${'5'.repeat(64)}`)
  const authorization = terms({ from: poor.address })
  const signature = await signAuthorization(poor, authorization)
  await expect(submit(authorization, signature)).rejects.toThrow('transfer amount exceeds balance')
  expect(await isSpent(authorization)).toBe(false)
})

test('accepts receiveWithAuthorization from the payee only', async () => {
  const authorization = terms()
  const signature = await signAuthorization(payer, authorization, 'ReceiveWithAuthorization')
  const receive = (caller: typeof relayer) =>
    caller.writeContract({
      ...token,
      functionName: 'receiveWithAuthorization',
      args: [...inOrder(authorization), signature],
    })
  await expect(receive(relayer)).rejects.toThrow('caller must be the payee')
  await chain.client.waitForTransactionReceipt({ hash: await receive(chain.as(2)) })
  expect(await isSpent(authorization)).toBe(true)
})

test('a contract wallet pays only with signatures of its owner', async () => {
  const owner = devAccount(3)
  const deployment = await relayer.deployContract({
    abi: smartWalletAbi,
    // The compiler wrote hexadecimal text, which JSON types as string.
    bytecode: smartWallet.bytecode as Hex,
    args: [owner.address],
  })
  const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash: deployment })
  if (!contractAddress) throw new Error('The wallet was not deployed')
  await chain.client.waitForTransactionReceipt({
    hash: await relayer.writeContract({ ...token, functionName: 'mint', args: [contractAddress, 5_000n] }),
  })

  const authorization = terms({ from: contractAddress })
  await expect(submit(authorization, await signAuthorization(payer, authorization))).rejects.toThrow(
    'invalid signature',
  )
  await submit(authorization, await signAuthorization(owner, authorization))
  expect(await balanceOf(contractAddress)).toBe(4_000n)
})

test('a contract without ERC-1271 never counts as signer', async () => {
  const authorization = terms({ from: chain.multicall })
  await expect(submit(authorization, await signAuthorization(payer, authorization))).rejects.toThrow(
    'invalid signature',
  )
})
