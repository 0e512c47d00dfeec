import type { ExecutedStatement } from '@mintmark/devkit/simulation/simulated-database'
import type { Kysely } from 'kysely'
import type { Tables } from '../database/tables.ts'

/** A settlement that a statement changes, and the call or reconciler that changes it. */
interface Change {
  readonly id: number
  readonly attempt: string
}

/**
 * Checks a statement that changes settlements. Whoever was slower than its lease must change nothing, because
 * another call or reconciler owns the settlement by then.
 *
 * @returns A sentence if the statement changed a settlement that it does not own.
 */
export async function findForeignChange(
  db: Kysely<Tables>,
  { text, values, result }: ExecutedStatement,
): Promise<string | undefined> {
  const changes = parseChanges(text, values)
  const changed = result.rowCount ?? 0
  if (changes.length === 0 || changed === 0) return undefined
  const rows = await db
    .selectFrom('facilitator.settlements')
    .select(['id', 'attempt'])
    .where(
      'id',
      'in',
      changes.map(({ id }) => id),
    )
    .execute()
  const owned = changes.filter(({ id, attempt }) =>
    rows.some((row) => row.id === id && row.attempt === attempt),
  )
  if (owned.length >= changed) return undefined
  return `settlements ${changes.map(({ id }) => id).join(', ')} were changed by attempts that do not own them`
}

function parseChanges(text: string, values: readonly unknown[]): readonly Change[] {
  const [items] = values
  if (text.includes('facilitator.record_checks(')) return JSON.parse(String(items))
  if (!text.includes('facilitator.apply_transitions(') || !Array.isArray(items)) return []
  return items.map((item: string) => {
    // A composite: the id and the attempt are its first columns.
    const [, id, attempt] = /^\("?(\d+)"?,"?([0-9a-f-]{36})/.exec(item) ?? []
    if (id === undefined || attempt === undefined) throw new Error(`Unexpected transition: ${item}`)
    return { id: Number(id), attempt }
  })
}
