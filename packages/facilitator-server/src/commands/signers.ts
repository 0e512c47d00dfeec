import type { Command } from '@mintmark/server-kit'
import {
  type FeePayerState,
  listFeePayerStates,
  listSignerStates,
  type SignerState,
} from '../operations/signer-states.ts'
import { print } from './command-database.ts'
import { withEngine } from './engine.ts'

export const signerCommands: Record<string, Command> = {
  'signers list': {
    summary:
      'Lists the signers and fee payers on each chain with what they have not finished, and whether the key of a retired one can be removed.',
    run: async () =>
      await withEngine(async (parts) => {
        const { maxValidity } = parts.config
        const signers = await listSignerStates(parts)
        const feePayers = await listFeePayerStates(parts)
        print([
          ...signers.map(({ isRemovable, ...state }) => ({
            ...state,
            action: getSignerAction({ ...state, isRemovable }, maxValidity),
          })),
          ...feePayers.map(({ isRemovable, ...state }) => ({
            ...state,
            action: getFeePayerAction({ ...state, isRemovable }),
          })),
        ])
      }),
  },
}

const REMOVE =
  'Remove its key and its address from RETIRED_SIGNERS, once all sellers have read /supported again'
const KEEP = 'Keep its key and its gas: what it has sent is not final'
const KEEP_FOR_OTHERS = 'Keep its key: it is still needed on another chain'

/**
 * Returns what an operator does about a signer.
 *
 * @param maxValidity Seconds for which a payment can be valid.
 */
export function getSignerAction(
  { status, sent, mined, lastUseSeconds, neededSeconds = 0, isRemovable }: SignerState,
  maxValidity: number,
): string {
  if (status === 'missing')
    return 'Add its key again, and its address to RETIRED_SIGNERS, until nothing of it is outstanding'
  if (status === 'active') return 'Nothing'
  if (sent + mined > 0) return KEEP
  if (isRemovable) return REMOVE
  if (neededSeconds > 0)
    return `Keep its key and its gas for ${neededSeconds} seconds: until then, payments that it has authorized can be captured, voided or refunded by it alone`
  return lastUseSeconds !== undefined && lastUseSeconds <= maxValidity
    ? `Keep its key until it has not signed for ${maxValidity} seconds: payments that are signed for it may not be settled yet`
    : KEEP_FOR_OTHERS
}

function getFeePayerAction({ status, sent, mined, isRemovable }: FeePayerState): string {
  if (status === 'missing') return 'Nothing: what it has signed needs no key'
  if (status === 'active') return 'Nothing'
  if (sent + mined > 0) return KEEP
  return isRemovable ? REMOVE : KEEP_FOR_OTHERS
}
