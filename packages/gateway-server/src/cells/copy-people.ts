import pg from 'pg'
import type { Copy, Rows } from './copy-rows.ts'
import { isMember } from './project-state.ts'

/** What people sign in with. */
const ACCOUNT_TABLES = ['gateway.people_accounts', 'gateway.people_passkeys', 'gateway.people_second_factors']

/**
 * Copies the members of a project whose email addresses the other cell does not have, with what they sign in
 * with; not as operators. Returns the expression of the person of a member.
 */
export async function copyPeople({ source, target, project, copy }: Copy): Promise<Rows['values']> {
  const { rows: people } = await source.query<{ id: string; email: string }>(
    `select id, email from gateway.people t where ${isMember(project)}`,
  )
  const { rows: existing } = await target.query<{ id: string; email: string }>(
    'select id, email from gateway.people',
  )
  if (existing.length === 0) {
    await target.query('delete from gateway.people_secret')
    await copy('gateway.people_secret', { where: 'true' })
  }
  const idByEmail = new Map(existing.map(({ id, email }) => [email, id]))
  const added = people.filter(({ email }) => !idByEmail.has(email))
  const ids = pg.escapeLiteral(JSON.stringify(added.map(({ id }) => id)))
  await copy('gateway.people', { where: `${ids}::jsonb ? t.id`, values: { is_operator: 'false' } })
  for (const table of ACCOUNT_TABLES) await copy(table, { where: `${ids}::jsonb ? t.person_id` })
  const idThere = people.map(({ id, email }) => [id, idByEmail.get(email) ?? id] as const)
  const mapping = pg.escapeLiteral(JSON.stringify(Object.fromEntries(idThere)))
  return { person_id: `${mapping}::jsonb ->> t.person_id` }
}
