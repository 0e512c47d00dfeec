import { CHAIN_UNREADABLE } from '@mintmark/envelope'
import type { Refuse } from '@mintmark/server-kit'
import type { GatewayContext } from '../context.ts'
import { ChainUnavailableError } from './chain-access.ts'

/**
 * Asks a chain something for a call, before its transaction: nothing in the database waits for a chain. Refuses the call where it cannot be
 * read.
 *
 * @param name Of the question, one of its own in a call.
 */
export async function readChain<Value>(
  { outside, refuse }: Pick<GatewayContext, 'outside'> & Refuse<typeof CHAIN_UNREADABLE>,
  name: string,
  ask: () => Promise<Value>,
): Promise<Value> {
  try {
    return await outside(name, ask)
  } catch (error) {
    if (error instanceof ChainUnavailableError) return refuse(CHAIN_UNREADABLE)
    throw error
  }
}
