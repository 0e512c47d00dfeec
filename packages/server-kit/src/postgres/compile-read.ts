import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { findReader } from './database.ts'

/** Represents a value that is supplied when the query runs. */
class Placeholder {
  readonly key: string

  constructor(key: string) {
    this.key = key
  }
}

/**
 * Creates a short read that Kysely builds and compiles only once, for frequent reads. Outside of transactions
 * it shares one connection with other short reads, which are pipelined. Use it only for reads by a key, never
 * for a scan or a lock.
 *
 * `build` receives placeholders instead of the input's values. It may pass them to Kysely as whole values and
 * must not inspect them. For lists use `= any(…)`, because the number of parameters is fixed.
 *
 * @example
 * const findCard = compileRead((db: Kysely<Tables>, input: { id: number }) =>
 *   db.selectFrom('gateway.cards').selectAll().where('id', '=', input.id))
 * const [card] = await findCard(database.forProject(projectId), { id: 7 })
 */
export function compileRead<DB, Input extends object, Row>(
  build: (db: Kysely<DB>, input: Input) => Compilable<Row>,
): (db: Kysely<DB>, input: Input) => Promise<Row[]> {
  let query: CompiledQuery<Row> | undefined
  return async (db, input) => {
    query ??= checkShortRead(build(db, createPlaceholders<Input>()).compile())
    const values = new Map<string, unknown>(Object.entries(input))
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values.get(parameter.key) : parameter,
    )
    const read = findReader(db)
    // The rows have the columns that Kysely inferred for this text.
    if (read !== undefined) return (await read(query.sql, parameters)).rows as Row[]
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}

// A lock would block the other reads, and a write must not be repeated after a lost connection.
function checkShortRead<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  const { query: node } = query
  if (node.kind !== 'SelectQueryNode' || node.endModifiers !== undefined)
    throw new TypeError(`compileRead accepts only a select without locks: ${query.sql}`)
  return query
}

function createPlaceholders<Input extends object>(): Input {
  const input = new Proxy({}, { get: (_, key) => new Placeholder(String(key)) })
  // The placeholders only look like the input. Nothing reads them before they are replaced with values.
  return input as Input
}
