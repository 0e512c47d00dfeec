import { CHAIN_UNREADABLE } from '@mintmark/envelope'
import type { Refuse } from '@mintmark/server-kit'
import type { GatewayContext } from '../context.ts'
import { ChainUnavailableError } from './chain-access.ts'

/**
 * Reads a chain for a call, before its transaction: nothing in the database waits for a chain. Refuses the call when the chain cannot be read.
 *
 * @param name Identifies the read within one call.
 */
export async function readChain<Value>(
  { beforeTransaction, refuse }: Pick<GatewayContext, 'beforeTransaction'> & Refuse<typeof CHAIN_UNREADABLE>,
  name: string,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await beforeTransaction(name, read)
  } catch (error) {
    if (error instanceof ChainUnavailableError) return refuse(CHAIN_UNREADABLE)
    throw error
  }
}
