import { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { TestGateway } from './gateway.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * Captures the statements that a call sends to the database. Does not use a spy, because `vi.restoreAllMocks`
 * would later restore what the spy replaced, such as the failing statements of another test.
 */
export async function captureStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
    const [config, values] = parameters as [string | Partial<Statement>, unknown[] | undefined]
    if (typeof config === 'string') statements.push({ text: config, values: values ?? [] })
    else statements.push({ text: config.text ?? '', values: config.values ?? [] })
    return Reflect.apply(query, this, parameters)
  } as never
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return statements
}

export const isCount = ({ text }: Statement): boolean => text.includes('count(*)')
export const isPage = ({ text }: Statement): boolean => text.includes('cursor_value')

/** Lists the tables that statements read, without those that count the rows of lists. */
export function listTables(statements: readonly Statement[]): string[] {
  const names = statements.flatMap(({ text }) =>
    [...text.matchAll(/"?gateway"?\."?(\w+)"?/g)].map(([, name = '']) => name),
  )
  return [...new Set(names)].filter((name) => !name.startsWith('list_'))
}

export interface Plan {
  readonly 'Node Type': string
  readonly 'Parent Relationship'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}

/**
 * Runs a statement of a list for a project on a connection of the gateway, which plans it as a list, and
 * returns the plan.
 */
export async function getPlan(
  { database }: TestGateway,
  project: number,
  { text, values }: Statement,
): Promise<Plan> {
  const [prefix] = /^\/\*.*?\*\//.exec(text) ?? ['']
  const explain = CompiledQuery.raw(`${prefix} explain (analyze, timing off, format json) ${text}`, [
    ...values,
  ])
  const { rows } = await database
    .forProject(project)
    .executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain)
  const [row] = rows
  if (row === undefined) throw new Error('EXPLAIN returned no plan')
  return row['QUERY PLAN'][0].Plan
}

export const childrenOf = ({ Plans = [] }: Plan): readonly Plan[] => Plans

/** Counts the rows that a plan reads, compares and discards. */
export function countRowsTouched(plan: Plan): number {
  const { 'Actual Rows': rows, 'Actual Loops': loops } = plan
  const removed =
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Join Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0)
  const inner = childrenOf(plan).reduce((sum, child) => sum + countRowsTouched(child), 0)
  return (rows + removed) * loops + inner
}
