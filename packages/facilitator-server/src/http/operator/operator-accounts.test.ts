import { randomBytes } from 'node:crypto'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { payerQuotas, payments, webhooks } from '@mintmark/facilitator'
import { operatorAccounts, operatorDecisions, operatorKeys } from '@mintmark/facilitator/operator'
import { ConfigurationError, openDatabase, readEnvironment, readSettings } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { findKey } from '../../ledger/accounts/keys.ts'
import { facilitatorSettings } from '../../settings.ts'
import { settlePrice, testFacilitator } from '../../testing.ts'
import { createOperatorAuthentication } from './operator-access.ts'
import { by, OPERATOR_TOKEN, operatorCall, operatorClient } from './testing-operator.ts'

const chain = await testChain()
const facilitator = await testFacilitator({
  chain,
  signerKeys: [devAccount(9).privateKey],
  env: { OPERATOR_TOKEN, CORS_ORIGINS: '*' },
})
const closed = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
afterAll(async () => {
  await facilitator.close()
  await closed.close()
})

const operator = operatorClient(facilitator.url)
const alice = by('alice')
const newWallet = () => `0x${randomBytes(20).toString('hex')}`
const NO_LIMIT = { perSecond: 1000, burst: 1000 }
const UINT256_MAX = ((1n << 256n) - 1n).toString()

const send = (path: string, init: RequestInit = {}, token = OPERATOR_TOKEN) =>
  fetch(`${facilitator.url}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${token}`,
      'x-mintmark-actor': 'alice',
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...Object.fromEntries(new Headers(init.headers)),
    },
  })

it('the operator interface does not exist without OPERATOR_TOKEN', async () => {
  for (const path of ['/operator/v1/health', '/operator/v1/accounts', '/operator/v1/accounts/1/credit']) {
    const response = await fetch(`${closed.url}${path}`, {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    })
    expect(response.status).toBe(404)
  }
})

it('the operator interface does not start with a short token', () => {
  const read = (token: string) =>
    readSettings(facilitatorSettings, readEnvironment({ OPERATOR_TOKEN: token })).OPERATOR_TOKEN
  expect(() => read('x'.repeat(31))).toThrow(ConfigurationError)
  expect(() => read(`${'x'.repeat(40)} y`)).toThrow(ConfigurationError)
  expect(read('x'.repeat(32))).toBe('x'.repeat(32))
  expect(() => read('x'.repeat(513))).toThrow(ConfigurationError)
  expect(read('x'.repeat(512))).toBe('x'.repeat(512))
  expect(read('')).toBeUndefined()
})

it('the operator interface refuses a missing, a wrong and a shortened token, and the key of an account', async () => {
  const account = await facilitator.account()
  for (const token of ['wrong', OPERATOR_TOKEN.slice(0, -1), `${OPERATOR_TOKEN}x`, account.token]) {
    expect((await send('/operator/v1/accounts', {}, token)).status).toBe(401)
  }
  expect((await fetch(`${facilitator.url}/operator/v1/accounts`)).status).toBe(401)
  const credit = { method: 'POST', body: JSON.stringify({ amount: '1', reason: 'mine' }) }
  expect((await send(`/operator/v1/accounts/${account.id}/credit`, credit, account.token)).status).toBe(401)
  expect(await facilitator.available(account)).toBe(100n * settlePrice)
})

it('the operator interface refuses the operator token everywhere else', async () => {
  const client = operatorClient(facilitator.url)
  await expect(payerQuotas.signingDomain(client)).rejects.toMatchObject({ status: 401 })
  await expect(payments.supported(client)).rejects.toMatchObject({ status: 401 })
  for (const path of ['/webhooks', '/micropayment-orders', '/x402/supported'])
    expect((await send(path)).status).toBe(401)
})

it('the operator interface refuses guessed tokens of one address with 429, while the right one still passes', async () => {
  expect((await send('/operator/v1/decisions')).status).toBe(200)
  const statuses = new Set<number>()
  for (let guess = 0; guess < 100; guess++)
    statuses.add((await send('/operator/v1/decisions', {}, `guess-${guess}`)).status)
  expect([...statuses].sort()).toEqual([401, 429])
  expect((await send('/operator/v1/decisions')).status).toBe(200)
})

it('the operator interface sends no CORS headers, although the other paths do', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
  const preflight = await send('/operator/v1/accounts', { method: 'OPTIONS', headers })
  const read = await send('/operator/v1/accounts', { headers })
  for (const response of [preflight, read])
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  expect(preflight.status).toBe(405)
  const other = await fetch(`${facilitator.url}/supported`, { headers })
  expect(other.headers.get('access-control-allow-origin')).toBe('*')
})

it.each([
  ['no actor', undefined],
  ['an empty actor', ''],
  ['an actor of 201 characters', 'x'.repeat(201)],
  ['an actor with other characters than ASCII', 'alic\xe9'],
  ["the facilitator's own actor", 'facilitator'],
])('the operator interface refuses a change with %s, and changes nothing', async (_, actor) => {
  const account = await facilitator.account()
  const options = actor === undefined ? {} : by(actor)
  const change = operatorAccounts.freeze(operator, { id: account.id, reason: 'a test' }, options)
  await expect(change).rejects.toMatchObject({ status: 400, issues: [{ path: 'X-Mintmark-Actor' }] })
  const details = await operatorAccounts.get(operator, { id: account.id })
  expect(details.account.frozenReason).toBeUndefined()
})

it.each([
  ['/operator/v1/accounts?pageSize=101', 'pageSize'],
  ['/operator/v1/accounts?pageNumber=1000001', 'pageNumber'],
  ['/operator/v1/accounts?cursor=e30', 'cursor'],
  [`/operator/v1/accounts?search=${'x'.repeat(201)}`, 'search'],
  ['/operator/v1/settlements?size=101', 'size'],
  ['/operator/v1/settlements?size=0', 'size'],
  ['/operator/v1/settlements?status=all', 'status'],
  ['/operator/v1/decisions?size=1000', 'size'],
  ['/operator/v1/transactions/stuck?minutes=-1', 'minutes'],
])('the operator interface refuses %s', async (path, field) => {
  const response = await send(path)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ issues: [{ path: field }] })
})

it('the operator interface refuses a body above the limit', async () => {
  const body = JSON.stringify({ payer: newWallet(), name: 'x'.repeat(1024 * 1024) })
  const response = await send('/operator/v1/accounts', { method: 'POST', body })
  expect(response.status).toBe(413)
})

describe('a call of an operator', () => {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', body: JSON.stringify(body), headers })

  it.each([
    ['begins with a space', ' alice'],
    ['ends with a space', 'alice '],
    ['has a tab', 'ali\tce'],
  ])('refuses an actor that %s, if a server passes it on', async (_, actor) => {
    // `fetch` and Node trim header values, so the call is made without them.
    const authenticate = createOperatorAuthentication({ token: OPERATOR_TOKEN, rateLimit: NO_LIMIT })
    const call = operatorCall({ 'x-mintmark-actor': actor })
    await expect(authenticate(call)).rejects.toMatchObject({ status: 400 })
  })

  it('accepts actors of 1 and of 200 characters, and spaces inside', async () => {
    const { id } = await facilitator.account()
    for (const actor of ['a', 'x'.repeat(200), 'Alice of the night shift']) {
      await operatorAccounts.freeze(operator, { id, reason: 'a test' }, by(actor))
      const { decisions } = await operatorDecisions.list(operator, { subject: `account/${id}`, size: 1 })
      expect(decisions).toMatchObject([{ actor }])
    }
  })

  it.each([
    ['name', 200, (name: string) => post('/operator/v1/accounts', { payer: newWallet(), name })],
    [
      'reason',
      1000,
      async (reason: string) => {
        const { id } = await facilitator.account()
        return await post(`/operator/v1/accounts/${id}/freeze`, { reason })
      },
    ],
    ['search', 200, (search: string) => send(`/operator/v1/accounts?search=${search}`)],
    ['subject', 200, (subject: string) => send(`/operator/v1/decisions?subject=${subject}`)],
    ['orderNo', 128, (orderNo: string) => send(`/operator/v1/settlements?orderNo=${orderNo}`)],
  ] as const)('accepts a %s of %i characters, and refuses a longer one', async (field, length, call) => {
    expect((await call('x'.repeat(length))).status).toBe(200)
    const refused = await call('x'.repeat(length + 1))
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ issues: [{ path: field }] })
  })

  it.each([
    ['size', 1, 100, (size: number) => send(`/operator/v1/decisions?size=${size}`)],
    [
      'minutes',
      0,
      1_000_000,
      (minutes: number) => send(`/operator/v1/transactions/stuck?minutes=${minutes}`),
    ],
    [
      'graceSeconds',
      0,
      30 * 24 * 3600,
      async (graceSeconds: number) => {
        const { keyId } = await facilitator.account()
        return await post(`/operator/v1/keys/${keyId}/rotate`, { graceSeconds })
      },
    ],
    [
      'batchDelayMs',
      0,
      5000,
      async (batchDelayMs: number) => {
        const { id } = await facilitator.account()
        return await post(`/operator/v1/accounts/${id}/batch-delay`, { batchDelayMs, reason: 'a test' })
      },
    ],
  ] as const)('accepts %s from %i to %i, and nothing else', async (field, min, max, call) => {
    for (const value of [min, max]) expect((await call(value)).status).toBe(200)
    for (const value of [min - 1, max + 1, min + 0.5]) {
      const refused = await call(value)
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({ issues: [{ path: field }] })
    }
  })

  it('refuses an empty Idempotency-Key and one of more than 255 characters', async () => {
    const { id } = await facilitator.account()
    const freeze = (key: string) =>
      post(`/operator/v1/accounts/${id}/freeze`, { reason: 'a test' }, { 'idempotency-key': key })
    for (const key of ['', 'k'.repeat(256)]) {
      const refused = await freeze(key)
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({ issues: [{ path: 'Idempotency-Key' }] })
    }
    expect((await freeze(`${id}`.padEnd(255, 'k'))).status).toBe(200)
  })

  it('a call of an operator is answered by responses that no cache stores', async () => {
    for (const path of ['/operator/v1/accounts', '/operator/v1/accounts/999999999'])
      expect((await send(path)).headers.get('cache-control')).toBe('no-store')
  })

  it('a call of an operator is limited by one rate for all operators and addresses', async () => {
    const rateLimit = { perSecond: 1, burst: 2 }
    const authenticate = createOperatorAuthentication({ token: OPERATOR_TOKEN, rateLimit, now: () => 0 })
    const calls = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((remoteAddress) =>
      authenticate(operatorCall({}, remoteAddress)),
    )
    const results = await Promise.allSettled(calls)
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'rejected', reason: { status: 429 } },
    ])
  })
})

describe('operatorAccounts', () => {
  it('creates an account once, finds it by a part of its name or wallet, and credits it', async () => {
    const payer = newWallet()
    const created = await operatorAccounts.create(operator, { payer, name: 'Corner 100% Coffee' }, alice)
    expect(created).toMatchObject({
      payer,
      name: 'Corner 100% Coffee',
      balance: '0',
      reserved: '0',
      owed: '0',
    })
    await expect(
      operatorAccounts.create(operator, { payer: payer.toUpperCase().replace('0X', '0x') }, alice),
    ).rejects.toMatchObject({
      reason: 'payer_has_account',
    })
    for (const search of ['CORNER 100% c', payer.slice(4, 20).toUpperCase(), String(created.id)]) {
      const { list } = await operatorAccounts.list(operator, { search })
      expect(list.map(({ id }) => id)).toContain(created.id)
    }
    for (const search of ['corner_100', '0x_', '%'.repeat(2)])
      expect((await operatorAccounts.list(operator, { search })).list).toEqual([])
    const credit = { id: created.id, amount: '5', reason: 'goodwill' }
    expect(await operatorAccounts.credit(operator, credit, alice)).toMatchObject({ balance: '5' })
    expect((await operatorAccounts.get(operator, { id: created.id })).transfers).toMatchObject([
      { kind: 'credit', debit: 'granted', amount: '5', actor: 'alice', reason: 'goodwill' },
    ])
  })

  it('creates one account under an Idempotency-Key, and returns it to repeated calls', async () => {
    const payer = newWallet()
    const once = by('alice', { idempotencyKey: `create-${payer}` })
    const created = await operatorAccounts.create(operator, { payer, name: 'Corner Coffee' }, once)
    expect(await operatorAccounts.create(operator, { payer, name: 'Corner Coffee' }, once)).toEqual(created)
    const another = operatorAccounts.create(operator, { payer: newWallet(), name: 'Corner Coffee' }, once)
    await expect(another).rejects.toMatchObject({ status: 409 })
  })

  it('reports a credit to the webhook of the account', async () => {
    const account = await facilitator.account()
    const client = facilitator.client(account)
    const url = 'http://127.0.0.1:9/closed'
    const { id } = await webhooks.configure(client, { url, events: ['payer_balance.credited'] })
    await operatorAccounts.credit(operator, { id: account.id, amount: '5', reason: 'goodwill' }, alice)
    const { list } = await webhooks.deliveries(client, { id })
    expect(list).toMatchObject([{ eventType: 'payer_balance.credited' }])
  })

  it('pages through all accounts, newest first', async () => {
    for (let each = 0; each < 5; each += 1) await facilitator.account({ settles: 0, quota: 0 })
    const ids: number[] = []
    for await (const { id } of operatorAccounts.list.items(operator, { pageSize: 2 })) ids.push(id)
    expect(ids).toEqual([...ids].sort((left, right) => right - left))
    const { count } = await facilitator.db
      .selectFrom('facilitator.accounts')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(new Set(ids).size).toBe(count)
  })

  it('credits once under an Idempotency-Key, however many calls there are at the same time', async () => {
    const account = await facilitator.account({ settles: 0 })
    const credit = { id: account.id, amount: '7', reason: 'invoice 7' }
    const once = by('alice', { idempotencyKey: `invoice-${account.id}` })
    const results = await Promise.all(
      Array.from({ length: 8 }, () => operatorAccounts.credit(operator, credit, once)),
    )
    expect(new Set(results.map(({ balance }) => balance))).toEqual(new Set(['7']))
    expect(await facilitator.available(account)).toBe(7n)
    for (const other of [
      { ...credit, amount: '8' },
      { ...credit, reason: 'another' },
    ])
      await expect(operatorAccounts.credit(operator, other, once)).rejects.toMatchObject({ status: 409 })
    const asBob = by('bob', { idempotencyKey: `invoice-${account.id}` })
    await expect(operatorAccounts.credit(operator, credit, asBob)).rejects.toMatchObject({ status: 409 })
    expect(await facilitator.available(account)).toBe(7n)
    const { decisions } = await operatorDecisions.list(operator, { subject: `account/${account.id}` })
    expect(decisions).toMatchObject([
      { actor: 'alice', operation: 'operatorAccounts.credit', amount: '7', reason: 'invoice 7' },
    ])
  })

  it('stores neither a refused credit nor the decision about it, so that the key can be used again', async () => {
    const account = await facilitator.account({ settles: 0 })
    const key = by('alice', { idempotencyKey: `too-large-${account.id}` })
    const subject = `account/${account.id}`
    await operatorAccounts.credit(operator, { id: account.id, amount: '1', reason: 'first' }, alice)
    const overflow = { id: account.id, amount: UINT256_MAX, reason: 'too much' }
    await expect(operatorAccounts.credit(operator, overflow, key)).rejects.toMatchObject({
      reason: 'balance_too_large',
    })
    expect(await facilitator.available(account)).toBe(1n)
    expect((await operatorDecisions.list(operator, { subject })).decisions).toHaveLength(1)
    const small = { id: account.id, amount: '1', reason: 'less' }
    await operatorAccounts.credit(operator, small, key)
    expect(await facilitator.available(account)).toBe(2n)
  })

  it('refuses an Idempotency-Key of another change of the same account', async () => {
    const { id } = await facilitator.account()
    const once = by('alice', { idempotencyKey: `change-${id}` })
    const input = { id, reason: 'The key was published' }
    await operatorAccounts.freeze(operator, input, once)
    await expect(operatorAccounts.unfreeze(operator, input, once)).rejects.toMatchObject({ status: 409 })
    const { account } = await operatorAccounts.get(operator, { id })
    expect(account.frozenReason).toBe('alice: The key was published')
  })

  it('makes no change whose decision cannot be stored', async () => {
    const { id } = await facilitator.account({ settles: 0 })
    const database = openDatabase({ url: facilitator.databaseUrl, max: 1 })
    try {
      // The transaction of this actor fails at its end, as when the connection is lost before the commit.
      await sql
        .raw(`
        create function public.fail_at_commit() returns trigger language plpgsql as $$
          begin raise exception 'the commit fails'; end $$;
        create constraint trigger fail_at_commit after insert on facilitator.operator_decisions
          deferrable initially deferred for each row when (new.actor = 'unlucky') execute function public.fail_at_commit()`)
        .execute(database.system)
      const credit = { id, amount: '7', reason: 'goodwill' }
      await expect(operatorAccounts.credit(operator, credit, by('unlucky'))).rejects.toMatchObject({
        status: 500,
      })
      expect(await facilitator.available({ id })).toBe(0n)
      expect((await operatorDecisions.list(operator, { subject: `account/${id}` })).decisions).toEqual([])
    } finally {
      await sql.raw('drop function if exists public.fail_at_commit() cascade').execute(database.system)
      await database.close()
    }
  })

  it('lists 20 decisions unless a call names a number', async () => {
    const { id } = await facilitator.account({ settles: 0 })
    for (let each = 0; each < 21; each += 1)
      await operatorAccounts.credit(operator, { id, amount: '1', reason: 'a test' }, alice)
    const { decisions, next } = await operatorDecisions.list(operator, { subject: `account/${id}` })
    expect(decisions).toHaveLength(20)
    expect(next).toBe(decisions.at(-1)?.id)
  })

  it('refuses an amount of 0, a negative amount, and an account that does not exist', async () => {
    const account = await facilitator.account()
    for (const amount of ['0', '-1', '1.5', '1e3'])
      expect(
        (
          await send(`/operator/v1/accounts/${account.id}/credit`, {
            method: 'POST',
            body: JSON.stringify({ amount, reason: 'a test' }),
          })
        ).status,
      ).toBe(400)
    const id = 999_999_999
    const key = by('alice', { idempotencyKey: 'nobody' })
    await expect(
      operatorAccounts.credit(operator, { id, amount: '1', reason: 'a test' }, key),
    ).rejects.toMatchObject({ status: 404 })
    await expect(operatorAccounts.get(operator, { id })).rejects.toMatchObject({ status: 404 })
    expect((await operatorDecisions.list(operator, { subject: `account/${id}` })).decisions).toEqual([])
  })

  it('freezes and unfreezes an account, and a repeated call does not freeze it again', async () => {
    const { id } = await facilitator.account()
    const once = by('alice', { idempotencyKey: `freeze-${id}` })
    const frozen = await operatorAccounts.freeze(operator, { id, reason: 'The key was published' }, once)
    expect(frozen.frozenReason).toBe('alice: The key was published')
    expect((await operatorAccounts.list(operator, { frozen: true })).list.map((each) => each.id)).toContain(
      id,
    )
    const { list: others } = await operatorAccounts.list(operator, { frozen: false, pageSize: 100 })
    expect(others).not.toEqual([])
    expect(others.map((each) => each.id)).not.toContain(id)
    const open = await operatorAccounts.unfreeze(operator, { id, reason: 'The key was rotated' }, by('bob'))
    expect(open).not.toHaveProperty('frozenReason')
    const repeated = await operatorAccounts.freeze(operator, { id, reason: 'The key was published' }, once)
    expect(repeated).not.toHaveProperty('frozenReason')
    const { decisions } = await operatorDecisions.list(operator, { subject: `account/${id}`, size: 1 })
    expect(decisions).toMatchObject([
      { actor: 'bob', operation: 'operatorAccounts.unfreeze', reason: 'The key was rotated' },
    ])
    const older = await operatorDecisions.list(operator, {
      subject: `account/${id}`,
      before: decisions[0]?.id,
    })
    expect(older).toMatchObject({ decisions: [{ actor: 'alice', operation: 'operatorAccounts.freeze' }] })
    expect(older).not.toHaveProperty('next')
  })

  it('sets the delay of batches, which the keys of the account then have, and records who did it', async () => {
    const { id, token } = await facilitator.account()
    const { account } = await operatorAccounts.get(operator, { id })
    expect(account.batchDelayMs).toBe(0)
    const once = by('alice', { idempotencyKey: `delay-${id}` })
    const delay = { id, batchDelayMs: 20, reason: 'The shop accepts some delay' }
    expect(await operatorAccounts.setBatchDelay(operator, delay, once)).toEqual({
      ...account,
      batchDelayMs: 20,
    })
    expect((await findKey(facilitator.db, token))?.account).toMatchObject({ id, batchDelayMs: 20 })
    const off = { id, batchDelayMs: 0, reason: 'Its customers wait' }
    expect(await operatorAccounts.setBatchDelay(operator, off, by('bob'))).toEqual(account)
    // A repeated call returns the account as it is now.
    expect(await operatorAccounts.setBatchDelay(operator, delay, once)).toEqual(account)
    const { decisions } = await operatorDecisions.list(operator, { subject: `account/${id}` })
    expect(decisions).toMatchObject([
      { actor: 'bob', operation: 'operatorAccounts.setBatchDelay', reason: 'Its customers wait' },
      { actor: 'alice', operation: 'operatorAccounts.setBatchDelay', reason: 'The shop accepts some delay' },
    ])
  })

  it('refuses a delay of batches of an account that does not exist, and records no decision', async () => {
    const delay = { id: 999_999_999, batchDelayMs: 20, reason: 'a test' }
    await expect(operatorAccounts.setBatchDelay(operator, delay, alice)).rejects.toMatchObject({
      status: 404,
    })
    const { decisions } = await operatorDecisions.list(operator, { subject: 'account/999999999' })
    expect(decisions).toEqual([])
  })
})

it('operatorKeys creates, rotates and revokes a key, and shows its token once', async () => {
  const { id: accountId } = await facilitator.account()
  const key = await operatorKeys.create(operator, { accountId, name: 'till' }, alice)
  const status = async (token = '') =>
    (await fetch(`${facilitator.url}/webhooks`, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await status(key.token)).toBe(200)
  const rotated = await operatorKeys.rotate(operator, { id: key.id, graceSeconds: 3600 }, alice)
  expect(await status(rotated.token)).toBe(200)
  const details = await operatorAccounts.get(operator, { id: accountId })
  expect(details.keys.map(({ id }) => id).slice(0, 2)).toEqual([rotated.id, key.id])
  expect(JSON.stringify(details)).not.toContain(rotated.token)
  expect(details.quotas).toMatchObject([{ status: 'ACTIVE' }])
  const { decisions } = await operatorDecisions.list(operator)
  expect(JSON.stringify(decisions)).not.toContain(rotated.token)
  const once = by('alice', { idempotencyKey: `revoke-${rotated.id}` })
  const revoked = await operatorKeys.revoke(operator, { id: rotated.id, reason: 'lost' }, once)
  expect(await operatorKeys.revoke(operator, { id: rotated.id, reason: 'lost' }, once)).toEqual(revoked)
  expect(Date.parse(revoked.revokeTime ?? '')).toBeLessThanOrEqual(Date.now() + 1000)
  await expect(
    operatorKeys.revoke(operator, { id: rotated.id, reason: 'lost' }, alice),
  ).rejects.toMatchObject({ status: 404 })
})

it('operatorKeys creates no second key under an Idempotency-Key, and does not repeat the token', async () => {
  const { id: accountId } = await facilitator.account()
  const once = by('alice', { idempotencyKey: `key-${accountId}` })
  const create = () => operatorKeys.create(operator, { accountId }, once)
  const results = await Promise.allSettled([create(), create(), create()])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { keys } = await operatorAccounts.get(operator, { id: accountId })
  // The account of a test has a key of its own.
  expect(keys).toHaveLength(2)
})

it('operatorKeys does not let a second rotation extend the time of an old token', async () => {
  const { id: accountId } = await facilitator.account()
  const { id } = await operatorKeys.create(operator, { accountId }, alice)
  await operatorKeys.rotate(operator, { id, graceSeconds: 60 }, alice)
  await operatorKeys.rotate(operator, { id, graceSeconds: 86_400 }, alice)
  const { keys } = await operatorAccounts.get(operator, { id: accountId })
  const old = keys.find((key) => key.id === id)
  expect(Date.parse(old?.revokeTime ?? '')).toBeLessThanOrEqual(Date.now() + 61_000)
  const forever = { id, graceSeconds: 31 * 24 * 3600 }
  await expect(operatorKeys.rotate(operator, forever, alice)).rejects.toMatchObject({ status: 400 })
  const other = await operatorKeys.create(operator, { accountId }, alice)
  await operatorKeys.rotate(operator, { id: other.id }, alice)
  const { keys: rotated } = await operatorAccounts.get(operator, { id: accountId })
  const dayMs = 24 * 3600 * 1000
  const endsIn = Date.parse(rotated.find((key) => key.id === other.id)?.revokeTime ?? '') - Date.now()
  expect(Math.abs(endsIn - dayMs)).toBeLessThan(60_000)
  const missing = operatorKeys.create(operator, { accountId: 999_999_999 }, alice)
  await expect(missing).rejects.toMatchObject({ status: 404 })
})

it('operatorDecisions cannot be changed or removed, not even by the server', async () => {
  const changes = [
    sql`update facilitator.operator_decisions set actor = 'nobody'`,
    sql`delete from facilitator.operator_decisions`,
    sql`truncate facilitator.operator_decisions`,
  ]
  for (const change of changes) await expect(change.execute(facilitator.db)).rejects.toThrow()
})
