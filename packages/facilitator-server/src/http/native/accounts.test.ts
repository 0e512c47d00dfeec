// Wallets open their accounts, and everything that somebody with many wallets or addresses would try.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import {
  ACCOUNT_FROZEN,
  ACCOUNTS_NOT_OPENED,
  type AccountProofTerms,
  accounts,
  INVALID_ACCOUNT_PROOF,
  PAYER_HAS_ACCOUNT,
  PROOF_USED,
  payerQuotas,
  payments,
  signAccountProof,
  signPayerQuota,
} from '@mintmark/facilitator'
import { createLog, openDatabase, readEnvironment } from '@mintmark/server-kit'
import { createFacilitator } from '@mintmark/transport'
import { sql } from 'kysely'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, expect, test } from 'vitest'
import { readConfiguration } from '../../configuration.ts'
import type { Tables } from '../../database/tables.ts'
import { signedBody } from '../../engine/testing.ts'
import { freezeAccount, getAccount } from '../../ledger/accounts/accounts.ts'
import { createKey, findKey } from '../../ledger/accounts/keys.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { startFacilitator } from '../../server.ts'
import { paymentInput, settlePrice, testFacilitator } from '../../testing.ts'

const AUDIENCE = 'https://pay.test'
const chain = await testChain()
const options = { chain, signerKeys: [devAccount(9).privateKey] }
const facilitator = await testFacilitator({
  ...options,
  env: {
    PUBLIC_URL: AUDIENCE,
    TRUSTED_PROXY_HOPS: '1',
    TRIAL_SETTLES: '2',
    TRIAL_ACCOUNTS_PER_DAY: '6',
    TRIAL_ACCOUNTS_PER_ADDRESS: '2',
  },
})
const closed = await testFacilitator(options)
afterAll(async () => {
  await facilitator.close()
  await closed.close()
})
const { db } = facilitator
// A day later.
afterEach(async () => {
  await db
    .updateTable('facilitator.account_openings')
    .set({ created_at: new Date(0) })
    .execute()
})

const stranger = facilitator.client()
const newWallet = () => privateKeyToAccount(generatePrivateKey())
const signing = await payerQuotas.signingDomain(stranger)
const sign = (wallet = newWallet(), terms: Partial<AccountProofTerms> = {}) =>
  signAccountProof(wallet, signing, { audience: AUDIENCE, ...terms })
let addresses = 0
const newAddress = () => `203.0.113.${++addresses}`
const open = async (proof = sign(), address = newAddress(), client = stranger) =>
  await accounts.open(client, await proof, { headers: { 'x-forwarded-for': address } })
const RATE_LIMITED = { kind: 'RateLimited', status: 429 }
const nowInSeconds = () => Math.floor(Date.now() / 1000)

test('a wallet opens an account, settles its trial without a deposit, and is then told to top up', async () => {
  const wallet = newWallet()
  const opened = await open(sign(wallet))
  expect(opened).toMatchObject({
    payer: wallet.address.toLowerCase(),
    credit: `${2n * settlePrice}`,
    balance: `${2n * settlePrice}`,
    settlePrice: `${settlePrice}`,
  })
  const client = facilitator.client(opened)
  const terms = { limit: 3n * settlePrice, validBefore: nowInSeconds() + 3600 }
  const own = await payerQuotas.signingDomain(client)
  await payerQuotas.register(client, await signPayerQuota(wallet, own, terms))
  const signNext = async () => paymentInput(await signedBody({ account: devAccount(1) }))
  await payments.settle(client, await signNext())
  // Nobody has paid what is left: the treasury need not cover it.
  const { problems, trials, liabilities } = await checkLedger(db, { treasury: 0n })
  expect({ problems, liabilities }).toEqual({ problems: [], liabilities: 0n })
  expect(trials).toBe(settlePrice)
  await payments.settle(client, await signNext())
  await expect(payments.settle(client, await signNext())).rejects.toMatchObject({ status: 402 })
  const response = await facilitator.post('/x402/settle', await signNext(), opened.token)
  expect(await response.text()).toContain('Send native tokens to the treasury')
  expect((await checkLedger(db, { treasury: 0n })).problems).toEqual([])
})

test('accounts are opened only where the operator allows it and has set the address that wallets sign', async () => {
  await expect(accounts.open(closed.client(), await sign())).rejects.toMatchObject({
    reason: ACCOUNTS_NOT_OPENED.reason,
  })
  const { PUBLIC_URL: _, ...env } = { ...facilitator.env }
  expect(() => readConfiguration(readEnvironment(env))).toThrow('TRIAL_SETTLES requires PUBLIC_URL')
})

test('a wallet that has opened its account gets new keys also after the operator opens no more accounts', async () => {
  const { TRIAL_SETTLES: _, ...env } = facilitator.env
  const ended = await startFacilitator(readEnvironment(env), createLog('facilitator', 'fatal'))
  try {
    const client = createFacilitator({ baseUrl: ended.url, retries: 0 })
    const wallet = newWallet()
    const lost = await open(sign(wallet))
    const opened = await open(sign(wallet), newAddress(), client)
    expect(opened).toMatchObject({ id: lost.id, credit: '0' })
    expect(await findKey(db, lost.token)).toBeUndefined()
    expect(await findKey(db, opened.token)).toBeDefined()
    const another = newWallet()
    await expect(open(sign(another), newAddress(), client)).rejects.toMatchObject({
      reason: ACCOUNTS_NOT_OPENED.reason,
    })
    await expect(getAccount(db, another.address)).rejects.toThrow('does not exist')
  } finally {
    await ended.close()
  }
})

test('the addresses of callers are deleted after a day, also if nobody opens another account', async () => {
  const wallets = [newWallet(), newWallet()]
  const [old, recent] = [await open(sign(wallets[0])), await open(sign(wallets[1]))]
  const listAddresses = async () => {
    const rows = db
      .selectFrom('facilitator.account_openings')
      .select('account_id')
      .where('address', 'is not', null)
    return (await rows.where('account_id', 'in', [old.id, recent.id]).execute()).map((row) => row.account_id)
  }
  await sql`update facilitator.account_openings set created_at = created_at - interval '1 day'
    where account_id = ${old.id}`.execute(db)
  expect(await listAddresses()).toHaveLength(2)
  await facilitator.runJobs()
  expect(await listAddresses()).toEqual([recent.id])
})

test('after a lost answer the wallet gets a new key by a new proof, no second trial, and the lost key is revoked', async () => {
  const wallet = newWallet()
  const lost = await open(sign(wallet))
  const kept = await createKey(db, { account: lost.id, name: 'by the operator' })
  const opened = await open(sign(wallet))
  expect(opened).toMatchObject({ id: lost.id, credit: '0', balance: `${2n * settlePrice}` })
  expect(await findKey(db, lost.token)).toBeUndefined()
  for (const token of [opened.token, kept.token])
    expect(await findKey(db, token)).toMatchObject({ account: { id: lost.id } })
})

test('a proof opens one account once, also when it is sent twice at the same time or changed', async () => {
  const proof = sign()
  const results = await Promise.allSettled([open(proof), open(proof), open(proof)])
  const [opened] = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  expect(refused).toMatchObject([{ reason: PROOF_USED.reason }, { reason: PROOF_USED.reason }])
  expect(await findKey(db, opened?.token ?? '')).toBeDefined()
  const { signature, ...signed } = await proof
  for (const change of [
    { issuedAt: signed.issuedAt + 1 },
    { nonce: `0x${'1'.repeat(64)}` },
    { wallet: newWallet().address },
    // Another signature of the same wallet over something else.
    { signature: (await sign()).signature },
    { signature: '0x12' },
  ])
    await expect(open(Promise.resolve({ signature, ...signed, ...change }))).rejects.toMatchObject({
      reason: INVALID_ACCOUNT_PROOF.reason,
    })
})

test('two proofs of a wallet at once open one account with one trial, and one of both keys works', async () => {
  const wallet = newWallet()
  const opened = await Promise.all([open(sign(wallet)), open(sign(wallet))])
  expect(opened.map(({ credit }) => credit).sort()).toEqual(['0', `${2n * settlePrice}`])
  expect((await getAccount(db, wallet.address)).available).toBe(2n * settlePrice)
  const keys = await Promise.all(opened.map(({ token }) => findKey(db, token)))
  expect(keys.filter((key) => key !== undefined)).toHaveLength(1)
})

test('a proof for another facilitator, or by a clock that is wrong by more than five minutes, opens nothing', async () => {
  const invalid = { reason: INVALID_ACCOUNT_PROOF.reason }
  await expect(open(sign(newWallet(), { audience: 'https://other.test' }))).rejects.toMatchObject(invalid)
  const domain = { ...signing.domain, verifyingContract: `0x${'ab'.repeat(20)}` }
  const elsewhere = signAccountProof(newWallet(), { domain }, { audience: AUDIENCE })
  await expect(open(elsewhere)).rejects.toMatchObject(invalid)
  for (const seconds of [-330, 330]) {
    const late = open(sign(newWallet(), { issuedAt: nowInSeconds() + seconds }))
    await expect(late).rejects.toMatchObject(invalid)
  }
  for (const seconds of [-240, 240])
    await open(sign(newWallet(), { issuedAt: nowInSeconds() + seconds, audience: `${AUDIENCE}/` }))
})

test('many wallets of one address, and of all addresses, open only as many accounts as the operator allows in a day', async () => {
  const wallets = Array.from({ length: 5 }, newWallet)
  const together = await Promise.allSettled(wallets.map((wallet) => open(sign(wallet), '2001:db8::1')))
  expect(together.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  // The other addresses of the same host.
  await expect(open(sign(), '2001:db8:0:0:5::9')).rejects.toMatchObject(RATE_LIMITED)
  const others = await Promise.allSettled(Array.from({ length: 8 }, () => open()))
  expect(others.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  const error = await open().catch((reason: unknown) => reason)
  expect(error).toMatchObject(RATE_LIMITED)
  expect((error as { retryAfter: number }).retryAfter).toBeGreaterThan(86_000)
  // Who has an account is not locked out by those who open others.
  const first = together.findIndex(({ status }) => status === 'fulfilled')
  expect(await open(sign(wallets[first]), '2001:db8::1')).toMatchObject({ credit: '0' })
})

test('one wallet gets at most ten keys in a day, from however many addresses', async () => {
  const wallet = newWallet()
  for (let count = 0; count < 10; count += 1) await open(sign(wallet))
  await expect(open(sign(wallet))).rejects.toMatchObject(RATE_LIMITED)
})

test('a frozen account stays frozen and gets no key, and one that an operator created is not opened by its wallet', async () => {
  const frozen = newWallet()
  const { id, token } = await open(sign(frozen))
  await freezeAccount(db, id, { actor: 'alice', reason: 'abuse' })
  await expect(open(sign(frozen))).rejects.toMatchObject({ reason: ACCOUNT_FROZEN.reason })
  expect((await getAccount(db, id)).frozenReason).toBe('alice: abuse')
  expect(await findKey(db, token)).toBeDefined()
  const wallet = newWallet()
  const account = await facilitator.account({ payer: wallet.address })
  // Also not with a key of that account.
  await expect(open(sign(wallet), newAddress(), facilitator.client(account))).rejects.toMatchObject({
    reason: PAYER_HAS_ACCOUNT.reason,
  })
  expect(await findKey(db, account.token)).toBeDefined()
})

test('the key of another account opens only the account of the wallet that signed', async () => {
  const staff = facilitator.client(await facilitator.account())
  const wallet = newWallet()
  expect(await open(sign(wallet), newAddress(), staff)).toMatchObject({ payer: wallet.address.toLowerCase() })
})

test('an account, its trial and its key are stored together or not at all', async () => {
  const wallet = newWallet()
  const owner = openDatabase<Tables>({ url: facilitator.databaseUrl, max: 1 })
  await sql`create function facilitator.fail() returns trigger language plpgsql as
    $$ begin raise exception 'the disk is full'; end $$`.execute(owner.system)
  await sql`create trigger fail before insert on facilitator.account_openings
    for each row execute function facilitator.fail()`.execute(owner.system)
  await expect(open(sign(wallet))).rejects.toMatchObject({ status: 500 })
  await expect(getAccount(db, wallet.address)).rejects.toThrow('does not exist')
  await sql`drop function facilitator.fail cascade`.execute(owner.system)
  await owner.close()
  expect(await open(sign(wallet))).toMatchObject({ credit: `${2n * settlePrice}` })
})
