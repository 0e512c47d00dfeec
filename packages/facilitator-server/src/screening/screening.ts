import type { Logger } from '@mintmark/server-kit'
import type { Payment, PaymentVerifier, VerificationOutcome } from '../payment/payment.ts'
import { reasons } from '../payment/reasons.ts'
import { type AddressList, openAddressList } from './address-list.ts'
import { requestDecision, type ScreeningRequest } from './screening-service.ts'

/** Which payments the operator refuses. */
export interface ScreeningSettings {
  /** The path of a list of payers and recipients. */
  readonly file: string | undefined
  /** The operator's service. */
  readonly url: URL | undefined
  /** Whether a payment about which the service does not decide is accepted. */
  readonly fails: 'open' | 'closed'
}

/** How a payment was screened. `undecided`: the service did not decide. */
export type ScreeningOutcome = 'allowed' | 'refused_by_list' | 'refused_by_service' | 'undecided'

export interface Screening {
  /** The list. Undefined: only the service decides. */
  readonly list: AddressList | undefined
  /**
   * Adds the screening to a verifier, which every verify and every settle calls first. Only valid payments are
   * screened: otherwise anybody could probe the list without a payer's signature.
   */
  guard(verifier: PaymentVerifier): PaymentVerifier
}

interface ScreeningParts {
  readonly log: Pick<Logger, 'warn'>
  /** Counts a screened payment. */
  readonly count: (outcome: ScreeningOutcome) => void
}

/**
 * Opens the screening of the settings. Undefined: nothing is screened.
 *
 * @throws ConfigurationError if the list cannot be read.
 */
export async function openScreening(
  settings: ScreeningSettings,
  parts: ScreeningParts,
): Promise<Screening | undefined> {
  const { file, url } = settings
  if (file === undefined && url === undefined) return undefined
  const list = file === undefined ? undefined : await openAddressList(file)
  return {
    list,
    guard: (verifier) => ({
      async verify(payment, options) {
        const verified = await verifier.verify(payment, options)
        if (!verified.isValid) return verified
        const screened = await screen(payment, { list, url })
        report(parts, payment, screened)
        return toRefusal(payment, screened.outcome, settings.fails) ?? verified
      },
    }),
  }
}

interface Screened {
  readonly outcome: ScreeningOutcome
  /** Why, for the operator only. */
  readonly reason?: string
  readonly address?: string
}

async function screen(
  payment: Payment,
  { list, url }: { list: AddressList | undefined; url: URL | undefined },
): Promise<Screened> {
  const payers = listPayers(payment)
  for (const address of [...payers, payment.payTo]) {
    const reason = list?.find(address)
    if (reason !== undefined) return { outcome: 'refused_by_list', address, reason }
  }
  if (url === undefined) return { outcome: 'allowed' }
  const screened = await Promise.all(payers.map((payer) => askService(url, toRequest(payment, payer))))
  const find = (outcome: ScreeningOutcome) => screened.find((each) => each.outcome === outcome)
  return find('refused_by_service') ?? find('undecided') ?? { outcome: 'allowed' }
}

async function askService(url: URL, request: ScreeningRequest): Promise<Screened> {
  const address = request.payer
  try {
    const { allowed, reason } = await requestDecision(url, request)
    return allowed
      ? { outcome: 'allowed' }
      : { outcome: 'refused_by_service', address, reason: reason.slice(0, 300) }
  } catch (error) {
    return { outcome: 'undecided', address, reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Lists who pays: the payer, and those whose earlier payments are collected. */
const listPayers = ({ payer, scheme, details }: Payment): string[] => [
  ...new Set([payer, ...(scheme.listPayers?.(details) ?? [])]),
]

const toRequest = ({ payTo, network, asset, amount }: Payment, payer: string): ScreeningRequest => ({
  payer,
  payTo,
  network,
  asset,
  amount: amount.toString(),
})

function report({ log, count }: ScreeningParts, payment: Payment, screened: Screened): void {
  count(screened.outcome)
  if (screened.outcome !== 'allowed')
    log.warn({ ...toRequest(payment, payment.payer), ...screened }, 'Screening did not allow a payment')
}

/** The response does not say which address is at fault, or why. */
function toRefusal(
  { payer }: Payment,
  outcome: ScreeningOutcome,
  fails: ScreeningSettings['fails'],
): VerificationOutcome | undefined {
  if (outcome === 'allowed' || (outcome === 'undecided' && fails === 'open')) return undefined
  const [invalidReason, invalidMessage] =
    outcome === 'undecided'
      ? [reasons.verifyError, 'The facilitator cannot check the payment now. Retry later']
      : [reasons.paymentRefused, 'The operator of the facilitator does not accept this payment']
  return { isValid: false, invalidReason, invalidMessage, payer }
}
