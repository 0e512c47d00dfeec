import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { runnerOf } from './database.ts'

/** Stands for a value that is known only when the query runs. */
class Placeholder {
  readonly key: string

  constructor(key: string) {
    this.key = key
  }
}

/**
 * A query that Kysely builds and compiles once, for paths where building it anew each time is felt.
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
    query ??= build(db, placeholders<Input>()).compile()
    const values = new Map<string, unknown>(Object.entries(input))
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values.get(parameter.key) : parameter,
    )
    const run = runnerOf(db)
    // The rows have the columns that Kysely worked out for this very text.
    if (run !== undefined) return (await run(query.sql, parameters)).rows as Row[]
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}

function placeholders<Input extends object>(): Input {
  const given = new Proxy({}, { get: (_, key) => new Placeholder(String(key)) })
  // Not what the type says, and never looked at: each stands where its value will.
  return given as Input
}
