import {
  type CommemorativeCard,
  commemorativeCards,
  type EventCard,
  eventCards,
  type MembershipCard,
  membershipCards,
  type PromoCodeCard,
  parseApplicableStores,
  promoCodeCards,
  stores,
  type VerificationRecord,
} from '@mintmark/cards'
import { isMintmarkError } from '@mintmark/envelope'
import type { GatewayClient } from '@mintmark/operation'
import type { CardProgram, Scan, ScanAnswer, ScannedCard } from './scan.ts'

type FoundCard = PromoCodeCard | EventCard | MembershipCard | CommemorativeCard

/** Errors after which a request had no effect, and never has: the same request is refused each time. */
const FINAL_KINDS: readonly string[] = ['InvalidInput', 'Refused', 'Conflict']

/**
 * Finds the card of a scan and redeems it. Repeating it has no further effect: the scan's nonce identifies
 * the request. Throws if the answer is unknown, for example without a connection.
 */
export async function verifyCard(
  gateway: GatewayClient,
  scan: Scan,
  remember: (card: ScannedCard) => Promise<Scan>,
  signal: AbortSignal,
): Promise<ScanAnswer> {
  const found = scan.card ?? (await findCard(gateway, scan.code, signal))
  if (found === undefined) return refuse('unknown')
  const { card } = scan.card === undefined ? await remember(found) : scan
  // A card that another tab found first is the card of the scan.
  const { program } = card ?? found
  if (program === 'commemorativeCards') return refuse('not_redeemable')
  try {
    const record = await sendAtStore(gateway, program, scan, signal)
    const { id: verificationId, result, reason, usedCount, previousUse } = record
    const state = result === 'OK' ? 'accepted' : 'refused'
    const isRenamed = scan.storeId !== undefined && record.store !== scan.store
    const newStoreName = isRenamed ? record.store : undefined
    return { state, reason, usedCount, verificationId, previousUse, newStoreName }
  } catch (error) {
    // A reason names the rule that refused. Without one, another call with this nonce is still in progress.
    const isFinal = isMintmarkError(error) && FINAL_KINDS.includes(error.kind)
    if (!isFinal || (error.reason === undefined && error.kind !== 'InvalidInput')) throw error
    return {
      ...refuse('invalid'),
      message: error.kind === 'InvalidInput' ? error.issues[0]?.message : undefined,
    }
  }
}

function refuse(reason: ScanAnswer['reason']): ScanAnswer {
  return { state: 'refused', reason, usedCount: 0 }
}

/** Sends a verification, at the present name of the store if its name has changed since the scan. */
async function sendAtStore(
  gateway: GatewayClient,
  program: Exclude<CardProgram, 'commemorativeCards'>,
  scan: Scan,
  signal: AbortSignal,
): Promise<VerificationRecord> {
  try {
    return await sendVerification(gateway, program, scan, signal)
  } catch (error) {
    const isOfStore =
      isMintmarkError(error) && error.kind === 'InvalidInput' && error.issues[0]?.path === 'store'
    if (!isOfStore || scan.storeId === undefined) throw error
    const listed = await stores.list(gateway, {}, { signal })
    const own = listed.find(({ id }) => id === scan.storeId)
    if (own === undefined || own.name === scan.store) throw error
    return await sendVerification(gateway, program, { ...scan, store: own.name }, signal)
  }
}

async function sendVerification(
  gateway: GatewayClient,
  program: Exclude<CardProgram, 'commemorativeCards'>,
  { code, nonce, device, store, verifier, membershipAction }: Scan,
  signal: AbortSignal,
): Promise<VerificationRecord> {
  const request = { qrCode: code, nonce, device, store, verifier }
  switch (program) {
    case 'promoCodeCards':
      return await promoCodeCards.createVerification(gateway, { ...request, action: 'REDEEM' }, { signal })
    case 'eventCards':
      return await eventCards.createVerification(gateway, { ...request, action: 'CHECK_IN' }, { signal })
    case 'membershipCards':
      return await membershipCards.createVerification(
        gateway,
        { ...request, action: membershipAction },
        { signal },
      )
  }
}

/** Finds the card with a code in any program; undefined if no program has it. */
async function findCard(
  gateway: GatewayClient,
  code: string,
  signal?: AbortSignal,
): Promise<ScannedCard | undefined> {
  const input = { qrCode: code }
  const lookups = await Promise.all([
    findIn('promoCodeCards', promoCodeCards.getByQrCode(gateway, input, { signal })),
    findIn('eventCards', eventCards.getByQrCode(gateway, input, { signal })),
    findIn('membershipCards', membershipCards.getByQrCode(gateway, input, { signal })),
    findIn('commemorativeCards', commemorativeCards.getByQrCode(gateway, input, { signal })),
  ])
  return lookups.find((card) => card !== undefined)
}

async function findIn(program: CardProgram, lookup: Promise<FoundCard>): Promise<ScannedCard | undefined> {
  try {
    return toScannedCard(program, await lookup)
  } catch (error) {
    // A code that cannot be sent or stored, such as one with U+0000, is invalid input. No card has it.
    if (isMintmarkError(error) && ['NotFound', 'InvalidInput'].includes(error.kind)) return undefined
    throw error
  }
}

function toScannedCard(program: CardProgram, card: FoundCard): ScannedCard {
  return {
    program,
    id: card.id,
    name: card.name,
    totalIssued: card.totalIssued,
    startTime: card.startTime,
    endTime: 'validityPeriod' in card ? card.validityPeriod : card.endTime,
    stores: parseApplicableStores(card),
    level: 'level' in card ? card.level : '',
  }
}
