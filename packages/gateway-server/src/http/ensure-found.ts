import { NotFoundError } from '@mintmark/envelope'
import { refusal } from '@mintmark/server-kit'

/**
 * Returns what a store has found. Refuses the call if that is nothing.
 *
 * @example
 * const row = ensureFound(await store.find(tenant, id), 'No auction has this id')
 */
export function ensureFound<Found>(found: Found | undefined, message?: string): Found {
  if (found === undefined) throw refusal(NotFoundError, message)
  return found
}
