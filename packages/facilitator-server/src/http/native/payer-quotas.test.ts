import { devAccount } from '@mintmark/devkit/chain/accounts'
import { smartWalletAbi } from '@mintmark/devkit/chain/artifacts/abi'
import smartWallet from '@mintmark/devkit/chain/artifacts/SmartWallet.json' with { type: 'json' }
import { testChain } from '@mintmark/devkit/chain/testing'
import { isMintmarkError } from '@mintmark/envelope'
import {
  payerQuotas,
  payments,
  signPayerQuota,
  signRevocation,
  type TypedDataWallet,
} from '@mintmark/facilitator'
import type { Hex } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { signedBody } from '../../engine/testing.ts'
import { paymentInput, settlePrice, testFacilitator } from '../../testing.ts'

const chain = await testChain()
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
afterAll(() => facilitator.close())

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600
const limit = 10n * settlePrice
/** The account of a dev wallet, without a quota, and its client. */
async function open(wallet: { address: string }) {
  const account = await facilitator.account({ payer: wallet.address, quota: 0 })
  return { account, client: facilitator.client(account) }
}
async function failure(call: Promise<unknown>) {
  try {
    await call
  } catch (error) {
    if (isMintmarkError(error)) return { kind: error.kind, status: error.status }
    throw error
  }
  throw new Error('the call succeeded')
}
/** A call as the wire has it: the error's own name, which the client folds into a kind. */
async function wireError(method: string, path: string, token: string, body?: object) {
  const response = await fetch(`${facilitator.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, ...((await response.json()) as { error: string }) }
}

test('a wallet registers, uses, replaces and revokes a quota, and the history contains every quota', async () => {
  const wallet = devAccount(1)
  const { client } = await open(wallet)
  const payer = wallet.address.toLowerCase()
  const signing = await payerQuotas.signingDomain(client)
  expect(signing).toMatchObject({
    domain: { chainId: 84532, verifyingContract: chain.treasury.toLowerCase() },
    nextNonce: '0',
  })
  expect(await failure(payerQuotas.active(client, { payer }))).toEqual({ kind: 'NotFound', status: 404 })
  expect(await failure(payments.settle(client, paymentInput(await signedBody({ account: wallet }))))).toEqual(
    {
      kind: 'InsufficientBalance',
      status: 402,
    },
  )

  const first = await payerQuotas.register(
    client,
    await signPayerQuota(wallet, signing, { limit, validBefore: inAnHour() }),
  )
  expect(first).toMatchObject({
    payer,
    limit: `${limit}`,
    used: '0',
    held: '0',
    nonce: '0',
    status: 'ACTIVE',
  })
  await payments.settle(client, paymentInput(await signedBody({ account: wallet })))
  expect(await payerQuotas.active(client, { payer: wallet.address })).toMatchObject({
    id: first.id,
    used: `${settlePrice}`,
    remaining: `${limit - settlePrice}`,
    balance: `${99n * settlePrice}`,
  })

  const next = await payerQuotas.signingDomain(client)
  expect(next.nextNonce).toBe('1')
  const second = await payerQuotas.register(
    client,
    await signPayerQuota(wallet, next, { limit: 2n * limit, validBefore: inAnHour() }),
  )
  expect(second).toMatchObject({ used: '0', remaining: `${2n * limit}`, status: 'ACTIVE' })

  const revoked = await payerQuotas.revoke(
    client,
    await signRevocation(wallet, await payerQuotas.signingDomain(client)),
  )
  expect(revoked).toMatchObject({ id: second.id, status: 'REVOKED', endTime: expect.any(String) })
  expect(await failure(payments.settle(client, paymentInput(await signedBody({ account: wallet }))))).toEqual(
    {
      kind: 'InsufficientBalance',
      status: 402,
    },
  )
  const history = await payerQuotas.history(client, { payer })
  expect(history.list.map(({ id, status }) => [id, status])).toEqual([
    [second.id, 'REVOKED'],
    [first.id, 'REPLACED'],
  ])
  expect(history.list[1]).toMatchObject({ used: `${settlePrice}` })
  const oldestFirst = await payerQuotas.history(client, { payer, orderBy: 'id' })
  expect(oldestFirst.list.map(({ id }) => id)).toEqual([first.id, second.id])
  const pages = []
  for await (const quota of payerQuotas.history.items(client, { payer, pageSize: 1 })) pages.push(quota.id)
  expect(pages).toEqual([second.id, first.id])
})

test('a contract wallet registers and revokes a quota with its owner’s signature (ERC-1271)', async () => {
  const owner = devAccount(2)
  const hash = await chain.as(2).deployContract({
    abi: smartWalletAbi,
    // JSON has no type for hexadecimal text; the compiler wrote it.
    bytecode: smartWallet.bytecode as Hex,
    args: [owner.address],
  })
  const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('the wallet was not deployed')
  const { client } = await open({ address: contractAddress })
  const wallet: TypedDataWallet = { address: contractAddress, signTypedData: owner.signTypedData }
  const signing = await payerQuotas.signingDomain(client)
  const terms = { limit, validBefore: inAnHour() }
  const stranger: TypedDataWallet = {
    address: contractAddress,
    signTypedData: devAccount(3).signTypedData,
  }
  const forged = await signPayerQuota(stranger, signing, terms)
  expect(await failure(payerQuotas.register(client, forged))).toMatchObject({ status: 400 })
  expect(await payerQuotas.register(client, await signPayerQuota(wallet, signing, terms))).toMatchObject({
    payer: contractAddress.toLowerCase(),
    status: 'ACTIVE',
  })
  const revocation = await signRevocation(wallet, await payerQuotas.signingDomain(client))
  expect(await payerQuotas.revoke(client, revocation)).toMatchObject({ status: 'REVOKED' })
})

test('a contract that is not a wallet has never signed', async () => {
  const { client } = await open({ address: chain.multicall })
  const owner = devAccount(2)
  const wallet: TypedDataWallet = { address: chain.multicall, signTypedData: owner.signTypedData }
  const quota = await signPayerQuota(wallet, await payerQuotas.signingDomain(client), {
    limit,
    validBefore: inAnHour(),
  })
  expect(await failure(payerQuotas.register(client, quota))).toMatchObject({ status: 400 })
})

test('reading, registering or revoking another wallet’s quota responds with 403', async () => {
  const wallet = devAccount(4)
  const { account, client } = await open(wallet)
  const other = devAccount(5)
  await open(other)
  const signing = await payerQuotas.signingDomain(client)
  const quota = await signPayerQuota(other, signing, { limit, validBefore: inAnHour() })
  const revocation = await signRevocation(other, signing)
  const payer = other.address
  for (const call of [
    payerQuotas.register(client, quota),
    payerQuotas.active(client, { payer }),
    payerQuotas.history(client, { payer }),
    payerQuotas.revoke(client, revocation),
  ]) {
    expect(await failure(call)).toEqual({ kind: 'Forbidden', status: 403 })
  }
  expect(await wireError('GET', `/payer-quotas/${payer}`, account.token)).toMatchObject({ status: 403 })
})

test('a signature is valid only for the signed quota on this server', async () => {
  const wallet = devAccount(6)
  const { account, client } = await open(wallet)
  const signing = await payerQuotas.signingDomain(client)
  const terms = { limit, validBefore: inAnHour() }
  const quota = await signPayerQuota(wallet, signing, terms)
  const elsewhere = { ...signing, domain: { ...signing.domain, chainId: 1 } }
  const othersTreasury = {
    ...signing,
    domain: { ...signing.domain, verifyingContract: `0x${'77'.repeat(20)}` },
  }
  const othersFacilitator = { ...signing, facilitator: `0x${'77'.repeat(20)}` }
  for (const wrong of [
    { ...quota, limit: `${limit + 1n}` },
    { ...quota, validBefore: quota.validBefore + 1 },
    { ...quota, nonce: '1' },
    { ...quota, signature: `0x${'00'.repeat(65)}` },
    { ...quota, signature: '0x1234' },
    await signPayerQuota(wallet, elsewhere, terms),
    await signPayerQuota(wallet, othersTreasury, terms),
    await signPayerQuota(wallet, othersFacilitator, terms),
  ]) {
    expect(await failure(payerQuotas.register(client, wrong))).toMatchObject({ status: 400 })
  }
  const { payer, ...body } = quota
  const changed = { ...body, limit: `${limit + 1n}` }
  expect(await wireError('PUT', `/payer-quotas/${payer}`, account.token, changed)).toMatchObject({
    status: 400,
    error: expect.stringMatching(/signature/i),
  })
  // A registration is no revocation.
  await payerQuotas.register(client, quota)
  expect(
    await failure(payerQuotas.revoke(client, { payer, nonce: '1', signature: quota.signature })),
  ).toMatchObject({ status: 400 })
  expect(await payerQuotas.active(client, { payer })).toMatchObject({ status: 'ACTIVE' })
})

test('a nonce is used once, in ascending order, also by a revocation', async () => {
  const wallet = devAccount(7)
  const { client } = await open(wallet)
  const payer = wallet.address
  const signing = await payerQuotas.signingDomain(client)
  const terms = { limit, validBefore: inAnHour() }
  const fifth = await signPayerQuota(wallet, signing, { ...terms, nonce: 5n })
  await payerQuotas.register(client, fifth)
  expect(await failure(payerQuotas.register(client, fifth))).toMatchObject({ status: 409 })
  const lower = await signPayerQuota(wallet, signing, { ...terms, nonce: 4n })
  expect(await failure(payerQuotas.register(client, lower))).toMatchObject({ status: 409 })
  const revocation = await signRevocation(wallet, signing, { nonce: 6n })
  await payerQuotas.revoke(client, revocation)
  expect(await failure(payerQuotas.revoke(client, revocation))).toMatchObject({ status: 404 })
  const sixth = await signPayerQuota(wallet, signing, { ...terms, nonce: 6n })
  expect(await failure(payerQuotas.register(client, sixth))).toMatchObject({ status: 409 })
  expect((await payerQuotas.signingDomain(client)).nextNonce).toBe('7')
  expect(await failure(payerQuotas.active(client, { payer }))).toMatchObject({ status: 404 })
})

test('a quota that has ended or can never begin is refused with the name of the field', async () => {
  const wallet = devAccount(8)
  const { account, client } = await open(wallet)
  const signing = await payerQuotas.signingDomain(client)
  for (const times of [
    { validBefore: 1_700_000_000 },
    { validAfter: inAnHour(), validBefore: inAnHour() - 9 },
  ]) {
    const { payer, ...body } = await signPayerQuota(wallet, signing, { limit, ...times })
    expect(await wireError('PUT', `/payer-quotas/${payer}`, account.token, body)).toMatchObject({
      status: 400,
      error: 'InvalidInput',
      issues: [{ path: 'validBefore' }],
    })
  }
})

test('a caller without a key can read the signing domain without a nonce, and nothing else', async () => {
  const anybody = facilitator.client()
  expect(await payerQuotas.signingDomain(anybody)).not.toHaveProperty('nextNonce')
  expect(await failure(payerQuotas.active(anybody, { payer: devAccount(1).address }))).toEqual({
    kind: 'Unauthorized',
    status: 401,
  })
})

test.each([
  ['PUT', '/payer-quotas/0x12', {}, 'payer'],
  ['PUT', `/payer-quotas/${devAccount(3).address}`, { limit: 5 }, 'limit'],
  ['PUT', `/payer-quotas/${devAccount(3).address}`, { surprise: 1 }, 'surprise'],
  ['GET', `/payer-quotas/${devAccount(3).address}/history?pageSize=0`, undefined, 'pageSize'],
  ['GET', `/payer-quotas/${devAccount(3).address}/history?orderBy=limit`, undefined, 'orderBy'],
  ['DELETE', `/payer-quotas/${devAccount(3).address}?nonce=-1&signature=0x12`, undefined, 'nonce'],
])('bad input of %s %s is 400 with its field named', async (method, path, body, field) => {
  const { token } = await facilitator.account({ quota: 0 })
  const refusal = await wireError(
    method,
    path,
    path.includes(devAccount(3).address) ? await tokenOfThird() : token,
    body,
  )
  expect(refusal).toMatchObject({
    status: 400,
    error: 'InvalidInput',
    issues: expect.arrayContaining([expect.objectContaining({ path: field })]),
  })
})

let third: Promise<string> | undefined
function tokenOfThird(): Promise<string> {
  third ??= open(devAccount(3)).then(({ account }) => account.token)
  return third
}
