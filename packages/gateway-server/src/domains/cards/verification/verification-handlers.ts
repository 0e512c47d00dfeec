import {
  NONCE_REUSED,
  PreviousUse,
  parseCardCode,
  type promoCodeCards,
  VerificationRecord,
} from '@mintmark/cards'
import type { Page } from '@mintmark/envelope'
import type { InputOf } from '@mintmark/operation'
import { HttpError, parseTimeRange, type Refuse, readPageQuery, refusal, toPage } from '@mintmark/server-kit'
import type { GatewayContext } from '../../../http/context.ts'
import { toRecord } from '../../../http/record-mapping.ts'
import type { CardPorts } from '../card-ports.ts'
import { CARD_ISSUER_SCOPE } from '../programs/card-rules.ts'
import { PROGRAM_GROUPS } from '../programs/program-groups.ts'
import { toStoreKey } from '../stores/store-key.ts'
import { findTillStore } from '../stores/till-store.ts'
import { findPreviousUse } from './reversals-store.ts'
import * as verifications from './verifications-store.ts'

type WithAnyAction<In> = In extends unknown ? Omit<In, 'action'> & { readonly action: string } : never
/** The action differs by program. */
type VerificationInput = WithAnyAction<InputOf<typeof promoCodeCards.createVerification>>

const CODE_REQUIRED = `Verifying a card by its id needs the scope ${CARD_ISSUER_SCOPE}. Send the qrCode that its holder shows`

/** The handlers that verify a program's cards. */
export function verificationHandlers(program: verifications.VerifiedProgram) {
  return {
    async createVerification(
      input: VerificationInput,
      context: GatewayContext & CardPorts & Refuse,
    ): Promise<VerificationRecord> {
      const { tenant, caller } = context
      const card = readCardKey(input)
      // Otherwise staff could redeem any card of a list, without its holder.
      if ('id' in card && !caller.holdsScope(CARD_ISSUER_SCOPE)) throw new HttpError(403, CODE_REQUIRED)
      const { action, nonce, device = '', verifier = '', store = '' } = input
      const requestedCard = 'id' in card ? `id ${card.id}` : `code ${card.code}`
      const { actor } = caller
      const request = {
        program,
        action,
        nonce,
        device,
        verifier,
        actor,
        requested_card: requestedCard,
      }
      const verify = async () => {
        const tillStore = await findTillStore(store, context)
        const { name, visitKey, keys } = tillStore
        return await tenant.transaction(async (trx) => {
          const claim = await verifications.claim(trx, { ...request, store: name, store_key: visitKey })
          if (claim) return await verifications.decide(trx, claim, card, tillStore)
          const earlier = await verifications.findByNonce(trx, request)
          if (earlier === undefined || !isRepetition(earlier, request, store, keys))
            throw refusal(NONCE_REUSED)
          return earlier
        })
      }
      const verification = await verify().catch(async (error: unknown) => {
        if (!(error instanceof HttpError && error.status === 400)) throw error
        // The name may be unknown because its store has another one since the call was made first.
        const earlier = await verifications.findByNonce(tenant, request)
        if (earlier?.actor !== actor || !isRepetition(earlier, request, store)) throw error
        return earlier
      })
      const isUsed = USED_REASONS.has(verification.reason) && caller.holdsScope('cards:read')
      const previous = isUsed ? await findPreviousUse(tenant, verification) : undefined
      return toVerificationRecord(verification, previous)
    },

    async verifications(
      input: InputOf<typeof promoCodeCards.verifications>,
      { tenant, invalid }: GatewayContext & Refuse,
    ): Promise<Page<VerificationRecord>> {
      const { cardId, store, verifier } = input
      const query = readPageQuery(input, verifications.VERIFICATION_ORDERS, invalid)
      const filter = { cardId, store, verifier, ...parseTimeRange(input) }
      const page = await verifications.listVerifications(tenant, program, filter, query)
      return toPage(query, page, (row) => toVerificationRecord(row))
    },
  }
}

/** The reasons that refuse a card because of an earlier verification. */
const USED_REASONS: ReadonlySet<string> = new Set(['already_redeemed', 'already_checked_in', 'exhausted'])

/** A card by its id, or by the code that a scanner read. */
function readCardKey({ id, qrCode }: VerificationInput): verifications.CardKey {
  return id === undefined ? { code: parseCardCode(qrCode) } : { id }
}

/**
 * Whether a request with a nonce that is in use repeats the request that used it.
 *
 * @param store What the request says.
 * @param keys What is known of this store: it may have been created or renamed in between.
 */
function isRepetition(
  earlier: verifications.Verification,
  request: Pick<verifications.Request, 'requested_card' | 'action' | 'verifier'>,
  store: string,
  keys: readonly string[] = [],
): boolean {
  const fields = ['requested_card', 'action', 'verifier'] as const
  const isSameStore = keys.includes(earlier.store_key) || toStoreKey(earlier.store) === toStoreKey(store)
  return isSameStore && fields.every((field) => earlier[field] === request[field])
}

/** @param previous The use for which the card was refused, if the caller may know it. */
export function toVerificationRecord(
  row: verifications.Verification,
  previous?: verifications.Verification,
): VerificationRecord {
  return toRecord(VerificationRecord, row, {
    cardId: row.card_id ?? 0,
    previousUse: previous && toRecord(PreviousUse, previous),
    program: PROGRAM_GROUPS[row.program],
    reversedBy: row.reversed_by ?? 0,
    reverses: row.reverses ?? 0,
  })
}
