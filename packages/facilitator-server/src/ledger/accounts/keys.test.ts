import { expect, test } from 'vitest'
import { testMoney } from '../../engine/testing-engine.ts'
import { createKey, findKey } from './keys.ts'

const money = await testMoney()

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
