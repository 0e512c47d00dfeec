import { lazyMinting } from '@mintmark/contracts'
import { productCards } from '@mintmark/market'
import type { OperationShape } from '@mintmark/operation'
import { type Route, transaction } from '@mintmark/server-kit'
import { type Kysely, sql, type Transaction } from 'kysely'

/**
 * Calls below this path are executed and rolled back, so that a caller learns what would happen. A path of their
 * own instead of a header: a server that does not know it responds 404 and executes nothing.
 */
const PREFIX = '/validate'

/** What these return would be worth something although it was rolled back: permissions to mint. */
const NEVER_VALIDATED: ReadonlySet<string> = new Set([
  lazyMinting.mintSign.id,
  lazyMinting.randomNft.id,
  productCards.mintSign.id,
])

/** Creates the routes that validate the writes of others. The writes have no effects outside of the database. */
export function createValidatingRoutes<Context>(routes: readonly Route<Context>[]): Route<Context>[] {
  return routes
    .filter(({ operation: { effect, id } }) => effect === 'write' && !NEVER_VALIDATED.has(id))
    .map((route) => ({
      ...route,
      operation: { ...route.operation, path: `${PREFIX}${route.operation.path}` },
    }))
}

export const isValidation = ({ path }: Pick<OperationShape, 'path'>): boolean => path.startsWith(PREFIX)

/**
 * Runs the work of a call in a transaction that is never committed, and returns its data.
 *
 * @param prepare Runs before the transaction. The work awaits it, and so receives its error.
 */
export async function runAndRollBack<DB, Data>(
  db: Kysely<DB>,
  work: (trx: Transaction<DB>, prepared: Promise<unknown> | undefined) => Promise<Data>,
  prepare?: () => Promise<unknown>,
): Promise<Data> {
  const prepared = prepare?.()
  await Promise.allSettled([prepared])
  let result: { readonly data: Data } | undefined
  try {
    return await transaction(db, async (trx) => {
      result = { data: await work(trx, prepared) }
      // What a commit would refuse is refused here.
      await sql`set constraints all immediate`.execute(trx)
      throw new RolledBack()
    })
  } catch (error) {
    if (error instanceof RolledBack && result !== undefined) return result.data
    throw error
  }
}

class RolledBack extends Error {}
