import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testMoney } from '../engine/testing-engine.ts'
import { ITEM_COLUMNS as RESERVATION_COLUMNS } from '../ledger/settlements/reserve.ts'
import { ITEM_COLUMNS as TRANSITION_COLUMNS } from '../ledger/settlements/transition.ts'
import { formatComposite } from './composite.ts'

const money = await testMoney()

const COLUMNS = ['cause', 'reason', 'message', 'id', 'final', 'block_number'] as const
const TEXTS = [
  '',
  ' ',
  'a"b',
  'a\\b',
  '\\',
  '"',
  '(1,2)',
  ',',
  '{x}',
  'null',
  'a\n\tb',
  "it's",
  'é 💸',
  '\\"',
  'x,',
  '0x00',
]

test('PostgreSQL reads every text that a row contains as it was', async () => {
  const type = TRANSITION_COLUMNS.map((column) => column)
  const rows = TEXTS.map((text, index) => ({
    ...Object.fromEntries(type.map((column) => [column, null])),
    cause: text,
    reason: null,
    message: TEXTS.toReversed()[index] ?? null,
    id: index,
    final: index % 2 === 0,
    block_number: 2n ** 200n + BigInt(index),
  }))
  const items = rows.map((row) => formatComposite<string>(type, row))
  const { rows: read } = await sql`
    select ${sql.join(COLUMNS.map((column) => sql.ref(column)))}
    from unnest(${items}::facilitator.requested_transition[])`.execute(money.db)
  expect(read).toEqual(
    rows.map((row) => ({
      cause: row.cause,
      reason: null,
      message: row.message,
      id: row.id,
      final: row.final,
      block_number: row.block_number.toString(),
    })),
  )
})

test.for([
  ['requested_settlement', RESERVATION_COLUMNS],
  ['requested_transition', TRANSITION_COLUMNS],
] as const)('the columns of %s are those of its type, in its order', async ([type, columns]) => {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${`facilitator.${type}`}::regclass order by attnum`.execute(money.db)
  expect(rows.map(({ name }) => name)).toEqual(columns)
})
