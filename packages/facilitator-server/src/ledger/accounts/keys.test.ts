import { expect, test } from 'vitest'
import { testMoney } from '../../engine/testing-engine.ts'
import { AccountNotFoundError } from './balance.ts'
import { createKey, findKey, KeyNotFoundError, listKeys, revokeKey, rotateKey } from './keys.ts'

const money = await testMoney()

test('a token authenticates its account until it is revoked', async () => {
  const account = await money.account()
  const { key, token } = await createKey(money.db, { account: account.id, name: 'till' })
  expect(token).toMatch(/^mm_[A-Za-z0-9_-]{43}$/)
  expect(await findKey(money.db, token)).toEqual({
    keyId: key.id,
    account: { ...account, batchDelayMs: 0 },
  })
  await revokeKey(money.db, key.id)
  expect(await findKey(money.db, token)).toBeUndefined()
  await expect(revokeKey(money.db, key.id)).rejects.toThrow(KeyNotFoundError)
})

test('an invalid token authenticates no account', async () => {
  const { token } = await createKey(money.db, { account: (await money.account()).id })
  const { token: unsaved } = await createKey(money.db, { account: (await money.account()).id })
  await money.db.deleteFrom('facilitator.api_keys').where('prefix', '=', unsaved.slice(0, 9)).execute()
  for (const other of ['', 'mm_', token.slice(0, -1), `${token}A`, ` ${token}`, unsaved]) {
    expect(await findKey(money.db, other)).toBeUndefined()
  }
})

test('the database does not contain tokens', async () => {
  const { token } = await createKey(money.db, { account: (await money.account()).id })
  const rows = await money.db.selectFrom('facilitator.api_keys').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token.slice(10))
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'))
})

test('a rotated key works together with the new key until its grace period ends', async () => {
  const account = await money.account()
  const old = await createKey(money.db, { account: account.id, name: 'till' })
  const fresh = await rotateKey(money.db, old.key.id, 3600)
  expect(fresh.key).toMatchObject({ accountId: account.id, name: 'till' })
  expect((await findKey(money.db, old.token))?.account).toMatchObject(account)
  expect((await findKey(money.db, fresh.token))?.account).toMatchObject(account)
  await rotateKey(money.db, fresh.key.id, 0)
  expect(await findKey(money.db, fresh.token)).toBeUndefined()
})

test('keys are listed without their tokens, and belong to accounts that exist', async () => {
  const account = await money.account()
  const { key } = await createKey(money.db, { account: account.id })
  expect(await listKeys(money.db, account.id)).toEqual([key])
  expect((await listKeys(money.db)).length).toBeGreaterThan(1)
  await expect(createKey(money.db, { account: 999_999 })).rejects.toThrow(AccountNotFoundError)
})
