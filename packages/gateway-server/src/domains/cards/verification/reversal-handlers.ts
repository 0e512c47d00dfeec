import { randomUUID } from 'node:crypto'
import {
  ALREADY_REVERSED,
  NONCE_REUSED,
  NOT_REVERSIBLE,
  REVERSAL_NOT_ALLOWED,
  TOO_MANY_REVERSALS,
  type VerificationRecord,
  type verifications,
} from '@mintmark/cards'
import type { InputOf } from '@mintmark/operation'
import { isUniqueViolation, refusal } from '@mintmark/server-kit'
import type { GatewayContext } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import type { CardPorts } from '../card-ports.ts'
import { CARD_ISSUER_SCOPE } from '../programs/card-rules.ts'
import * as reversals from './reversals-store.ts'
import { toVerificationRecord } from './verification-handlers.ts'
import * as store from './verifications-store.ts'

type Context = GatewayContext & CardPorts

const REFUSALS = [NOT_REVERSIBLE, ALREADY_REVERSED, REVERSAL_NOT_ALLOWED, TOO_MANY_REVERSALS]

export const reversalHandlers = {
  async reverse(input: InputOf<typeof verifications.reverse>, context: Context): Promise<VerificationRecord> {
    const { tenant, caller, storeTimeZone } = context
    const { id, nonce, reason, device = '', verifier = '' } = input
    const original = ensureFound(await store.findById(tenant, id), 'No verification has this id')
    const isManager = caller.holdsScope(CARD_ISSUER_SCOPE)
    const request = { id, nonce, device, verifier, reason, actor: caller.actor, isManager }
    try {
      const reversal = await tenant.transaction((trx) => reverse(trx, request, storeTimeZone))
      return toVerificationRecord(reversal)
    } catch (error) {
      // The call may repeat one whose response was lost.
      const earlier = await store.findByNonce(tenant, { program: original.program, device, nonce })
      if (earlier?.reverses === id && earlier.reason === reason) return toVerificationRecord(earlier)
      throw isUniqueViolation(error, 'card_verifications_nonce') ? refusal(NONCE_REUSED) : error
    }
  },

  async reversals(_: object, { tenant }: Context) {
    return await reversals.listReversalCounts(tenant)
  },
}

/** Reverses a verification that exists, or throws the rule that refuses it. Call it within a transaction. */
async function reverse(
  trx: GatewayContext['tenant'],
  request: reversals.Reversal,
  timeZone: string,
): Promise<store.Verification> {
  const outcome = await reversals.reverse(trx, request, timeZone)
  const refused = REFUSALS.find(({ reason }) => reason === outcome?.refusal)
  if (refused) throw refusal(refused)
  const row = outcome?.reversal ? await store.findById(trx, outcome.reversal) : undefined
  if (row === undefined) throw new Error(`The reversal of verification ${request.id} was not recorded`)
  return row
}

/**
 * Reverses the check-in that an update of the card ends, within the transaction of the update. Locks the
 * verification before the card, as other reversals do.
 */
export async function endCheckIn(
  id: number,
  { tenant, caller, storeTimeZone }: Pick<Context, 'tenant' | 'caller' | 'storeTimeZone'>,
): Promise<void> {
  const checkIn = await reversals.findCheckIn(tenant, id)
  if (checkIn === undefined) return
  const { actor } = caller
  const reason = 'Update of isCheckedIn'
  const request = {
    id: checkIn,
    nonce: randomUUID(),
    device: '',
    verifier: '',
    reason,
    actor,
    isManager: true,
  }
  // The only refusal is `ALREADY_REVERSED`: a concurrent reversal has ended the check-in.
  await reversals.reverse(tenant, request, storeTimeZone)
}
