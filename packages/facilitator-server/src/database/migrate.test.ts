import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@mintmark/devkit/testing'
import { migrate, openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { facilitatorSchema } from './schema.ts'

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))

/** Makes a database look as if an earlier version, with other migrations, had created it. */
async function replaceHistory(url: string): Promise<void> {
  const database = openDatabase<unknown>({ url, max: 1 })
  try {
    await sql`delete from facilitator.migrations`.execute(database.system)
    await sql`insert into facilitator.migrations (id) values ('0001_accounts'), ('0001_ledger')`.execute(
      database.system,
    )
  } finally {
    await database.close()
  }
}

const functionTexts = () => (facilitatorSchema.functions ?? []).map((each) => each.sql)

async function runMigrate(databaseUrl: string): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, ['--conditions=@mintmark/source', cli, 'migrate'], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, SECRET_KEYS: `a:${'A'.repeat(43)}=` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  const output = (await Promise.all([text(child.stdout), text(child.stderr)])).join('')
  return { status: await exit, output }
}

test('creates every function of the plan and records its text', async () => {
  const { url, drop } = await createTestDatabase()
  await migrate(url, facilitatorSchema)
  const database = openDatabase<unknown>({ url, max: 1 })
  try {
    const { rows } = await sql<{ name: string }>`
      select f.name from facilitator.sql_functions f
      join pg_proc p on p.proname = f.name and p.pronamespace = 'facilitator'::regnamespace
      order by f.name`.execute(database.system)
    const names = facilitatorSchema.functions?.map(({ name }) => name).toSorted()
    expect(rows.map(({ name }) => name)).toEqual(names)
  } finally {
    await database.close()
    await drop()
  }
})

test('names the operation or job that needs an index at its definition', () => {
  const unexplained = facilitatorSchema.migrations.flatMap(({ up }) =>
    [...String(up).matchAll(/^(.*)\ncreate (?:unique )?index (\w+)/gm)].flatMap(([, before = '', name]) =>
      before.startsWith('-- ') ? [] : [name],
    ),
  )
  expect(unexplained).toEqual([])
})

test('names no contract and no scheme in the schema, so that a new one changes no table', async () => {
  const texts = [...facilitatorSchema.migrations.map(({ up }) => String(up)), ...functionTexts()]
  const named = texts.flatMap(
    (text) => text.match(/'0x[0-9a-f]{40}'|'(?:exact|upto|batch-settlement|auth-capture)'/gi) ?? [],
  )
  expect(named).toEqual([])
})

test('reports that a new database is required if an earlier version created the present one', async () => {
  const { url, drop } = await createTestDatabase()
  try {
    await migrate(url, facilitatorSchema)
    await replaceHistory(url)
    const { status, output } = await runMigrate(url)
    expect(output.trim().split('\n')).toEqual([
      `mintmark-facilitator migrate: The schema "facilitator" was created by an earlier version and cannot be migrated. Create a new database and set DATABASE_URL to it, or delete the schema with all of its data (psql "$DATABASE_URL" -c 'drop schema facilitator cascade') and run \`mintmark-facilitator migrate\``,
    ])
    expect(status).toBe(1)
  } finally {
    await drop()
  }
})
