import { NONCE_REUSED, type VerificationRecord } from '@mintmark/cards'
import type { Page } from '@mintmark/envelope'
import { pageOf, type Refuse, readPageQuery, transaction } from '@mintmark/server-kit'
import type { GatewayContext } from '../../../context.ts'
import type { PageInput } from '../programs/card-handlers.ts'
import { periodOf } from '../programs/card-input.ts'
import { verificationRecordOf } from '../programs/card-records.ts'
import { codeIn } from '../programs/card-rules.ts'
import { isSame } from './verification-rules.ts'
import * as verifications from './verifications-store.ts'

interface VerificationInput {
  id?: number | undefined
  qrCode?: string | undefined
  action: string
  nonce: string
  store?: string | undefined
  verifier?: string | undefined
  device?: string | undefined
}

interface VerificationsInput extends PageInput {
  cardId?: number | undefined
  store?: string | undefined
  verifier?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The verifications of a program's cards. */
export function verificationHandlers(program: verifications.VerifiedProgram) {
  return {
    async createVerification(
      { id, qrCode, action, nonce, store = '', verifier = '', device = '' }: VerificationInput,
      { db, project, storeTimeZone, refuse, invalid }: GatewayContext & Refuse<typeof NONCE_REUSED>,
    ): Promise<VerificationRecord> {
      if (id !== undefined && qrCode !== undefined) invalid('qrCode', 'Expected either id or qrCode')
      const card =
        id !== undefined
          ? { id }
          : { code: codeIn(qrCode ?? invalid('id', 'Required, where qrCode is not given')) }
      const asked = {
        ...{ program, action, nonce, device, store, verifier },
        asked: 'id' in card ? `id ${card.id}` : `code ${card.code}`,
      }
      const verification = await transaction(db, async (trx) => {
        const claimed = await verifications.claim(trx, project, asked)
        if (claimed) return await verifications.decide(trx, claimed, card, storeTimeZone)
        const known = await verifications.findByNonce(trx, project, asked)
        return isSame(known, asked) ? known : refuse(NONCE_REUSED)
      })
      return verificationRecordOf(verification)
    },

    async verifications(
      input: VerificationsInput,
      { db, project, invalid }: GatewayContext & Refuse<never>,
    ): Promise<Page<VerificationRecord>> {
      const { cardId, store, verifier } = input
      const filter = { cardId, store, verifier, ...periodOf(input, invalid) }
      const query = readPageQuery(input, verifications.VERIFICATION_ORDERS, invalid)
      const found = await verifications.pageOfVerifications(db, project, program, filter, query)
      return pageOf(query, found, verificationRecordOf)
    },
  }
}
