import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { readerOf } from './database.ts'

/** Stands for a value that is known only when the query runs. */
class Placeholder {
  readonly key: string

  constructor(key: string) {
    this.key = key
  }
}

/**
 * A short read that Kysely builds and compiles once, for paths where building it anew each time is felt. Outside of transactions it
 * shares a connection with others of its kind, none waiting for another's answer: a read by a key, never one that scans or locks.
 *
 * `build` sees stand-ins for the input's values. It may hand them to Kysely as values, whole; it must not look at
 * them (a condition that depends on one, a list whose length matters: use `= any(…)`).
 *
 * @example
 * const cardById = compiled((db: Kysely<Tables>, input: { id: number }) =>
 *   db.selectFrom('gateway.cards').selectAll().where('id', '=', input.id))
 * const [card] = await cardById(database.forProject(projectId), { id: 7 })
 */
export function compiled<DB, Input extends object, Row>(
  build: (db: Kysely<DB>, input: Input) => Compilable<Row>,
): (db: Kysely<DB>, input: Input) => Promise<Row[]> {
  let query: CompiledQuery<Row> | undefined
  return async (db, input) => {
    query ??= shortRead(build(db, placeholders<Input>()).compile())
    const values = new Map<string, unknown>(Object.entries(input))
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values.get(parameter.key) : parameter,
    )
    const read = readerOf(db)
    // The rows have the columns that Kysely worked out for this very text.
    if (read !== undefined) return (await read(query.sql, parameters)).rows as Row[]
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}

// One that locks would hold up the others, and what writes must not be sent twice.
function shortRead<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  const { query: node } = query
  if (node.kind !== 'SelectQueryNode' || node.endModifiers !== undefined)
    throw new TypeError(`compiled takes a read without locks, not ${query.sql}`)
  return query
}

function placeholders<Input extends object>(): Input {
  const given = new Proxy({}, { get: (_, key) => new Placeholder(String(key)) })
  // Not what the type says, and never looked at: each stands where its value will.
  return given as Input
}
