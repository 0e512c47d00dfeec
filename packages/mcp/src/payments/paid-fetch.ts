import { x402Client, x402HTTPClient } from '@x402/core/client'
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm'
import { type Hex, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { SettingsError } from '../settings-error.ts'
import type { Budgets } from '../state/budgets.ts'
import type { Attempt, WriteJournal } from '../state/write-journal.ts'
import { createUnknownWriteError, ToolError } from '../tool-error.ts'
import { hashParts } from '../writes/intent-key.ts'
import { SingleFlight } from '../writes/single-flight.ts'
import { type DestinationRules, parseDestination } from './destination.ts'
import {
  ExchangeError,
  exchange,
  type HttpLimits,
  type HttpReply,
  type HttpRequest,
} from './http-exchange.ts'
import { choosePaymentTerms, type PaymentTerms } from './payment-terms.ts'

export interface PaidRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly body: string | undefined
  readonly contentType: string
  /** The most to pay, in base units of the asset. Default: what the budgets allow. */
  readonly maxAmount: bigint | undefined
  readonly intent: string | undefined
  readonly session: string
}

/** What a request returned, as JSON. */
export interface PaidResponse {
  readonly status: number
  readonly contentType: string
  /** Absent for content that is not text. */
  readonly body?: string
  readonly note?: string
  readonly payment?: {
    readonly asset: string
    readonly amount: string
    readonly payTo: string
    readonly transaction?: string
  }
}

export interface PaidFetchOptions {
  readonly privateKey: string
  readonly destinations: DestinationRules
  readonly limits: HttpLimits
  readonly budgets: Budgets
  /** The assets that have a budget. */
  readonly assets: readonly string[]
  readonly journal: WriteJournal
  readonly now: () => number
}

/** Confirms the payment, or throws. */
export type ConfirmPayment = (terms: PaymentTerms) => Promise<void>

const OPERATION = 'fetch_paid_url'

/** Fetches URLs and pays for them with x402. A repeated request of one intent does not pay twice. */
export class PaidFetch {
  readonly #options: PaidFetchOptions
  readonly #client: x402HTTPClient
  readonly #payer: string
  readonly #running = new SingleFlight<PaidResponse>()

  constructor(options: PaidFetchOptions) {
    this.#options = options
    const account = privateKeyToAccount(parsePrivateKey(options.privateKey))
    this.#payer = account.address
    // The budgets limit what is spent. Only terms that they cover are passed to this client.
    const client = new x402Client().setSpendControls(false)
    this.#client = new x402HTTPClient(client.register('eip155:*', new ExactEvmScheme(account)))
    this.#createPayload = (required) => client.createPaymentPayload(required)
  }

  readonly #createPayload: (required: PaymentRequired) => Promise<PaymentPayload>

  /** @throws ToolError, BudgetExceededError */
  async fetch(request: PaidRequest, confirm: ConfirmPayment): Promise<PaidResponse> {
    const { url: text, method, body, contentType, intent, session } = request
    const url = parseDestination(text, this.#options.destinations)
    const content = hashParts(this.#payer, OPERATION, method, url.href, contentType, body)
    const key = hashParts(content, intent === undefined ? { session } : { intent })
    const { outcome } = await this.#running.run(key, () => this.#run(request, url, { key, content }, confirm))
    return outcome
  }

  async #run(
    request: PaidRequest,
    url: URL,
    keys: { readonly key: string; readonly content: string },
    confirm: ConfirmPayment,
  ): Promise<PaidResponse> {
    const { journal } = this.#options
    const entry = journal.begin({
      ...keys,
      operation: OPERATION,
      isDefaultIntent: request.intent === undefined,
    })
    if (entry.state === 'done') return JSON.parse(entry.result) as PaidResponse
    if (entry.state === 'unknown') throw createUnknownWriteError(OPERATION, entry.sentAt)
    const http: HttpRequest = {
      url,
      method: request.method,
      headers: request.body === undefined ? {} : { 'content-type': request.contentType },
      body: request.body,
    }
    const first = await this.#sendUnpaid(http, entry)
    if (first.status !== 402) return this.#finishUnpaid(http, entry, first)
    const paymentId = `${entry.key}/${entry.attempt}`
    let signed: { readonly terms: PaymentTerms; readonly headers: Record<string, string> }
    try {
      signed = await this.#reserveAndSign(request, first, paymentId, confirm)
    } catch (error) {
      // Nothing was paid: the seller has not seen an authorization.
      this.#options.budgets.release(paymentId)
      journal.fail(entry)
      throw error
    }
    return await this.#sendPaid(http, entry, paymentId, signed)
  }

  async #sendUnpaid(http: HttpRequest, entry: Attempt): Promise<HttpReply> {
    const { destinations, limits, journal } = this.#options
    try {
      return await exchange(http, destinations, limits)
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      // A GET has no effect, so it can be repeated.
      if (error.isUnsent || http.method === 'GET') {
        journal.fail(entry)
        throw toNetworkError(http.url, error)
      }
      throw createUnknownWriteError(OPERATION, this.#options.now())
    }
  }

  #finishUnpaid(http: HttpRequest, entry: Attempt, reply: HttpReply): PaidResponse {
    const { journal } = this.#options
    const response = toResponse(reply)
    if (http.method === 'GET') journal.fail(entry)
    else journal.complete(entry.key, JSON.stringify(response))
    return response
  }

  async #reserveAndSign(
    { maxAmount, session }: PaidRequest,
    reply: HttpReply,
    paymentId: string,
    confirm: ConfirmPayment,
  ) {
    const { budgets, assets } = this.#options
    const required = this.#readRequired(reply)
    const terms = choosePaymentTerms(required, assets)
    const { asset, amount, requirements } = terms
    if (maxAmount !== undefined && amount > maxAmount) {
      throw new ToolError({
        kind: 'PriceTooHigh',
        message: `The price is ${amount} of ${asset}, more than the maxAmount ${maxAmount}. Nothing was paid`,
        whatToDo: 'Report the price to the user. Repeat the call with a larger maxAmount if the user agrees.',
      })
    }
    await confirm(terms)
    budgets.reserve({ id: paymentId, session, asset, amount })
    // Without the seller's extensions: some of them request further signatures.
    const { x402Version, resource } = required
    const payload = await this.#createPayload({ x402Version, resource, accepts: [requirements] })
    return { terms, headers: this.#client.encodePaymentSignatureHeader(payload) }
  }

  #readRequired({ headers, body }: HttpReply): PaymentRequired {
    try {
      return this.#client.getPaymentRequiredResponse((name) => headers.get(name), parseJson(body))
    } catch {
      throw new ToolError({
        kind: 'PaymentUnsupported',
        message: 'The seller responded with 402, but without x402 payment requirements',
        whatToDo: 'Tell the user: this URL cannot be paid with x402.',
      })
    }
  }

  async #sendPaid(
    http: HttpRequest,
    entry: Attempt,
    paymentId: string,
    { terms, headers }: { readonly terms: PaymentTerms; readonly headers: Record<string, string> },
  ): Promise<PaidResponse> {
    const { destinations, limits, budgets, journal } = this.#options
    let reply: HttpReply
    try {
      reply = await exchange({ ...http, headers: { ...http.headers, ...headers } }, destinations, limits)
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      if (!error.isUnsent) throw createUnknownPaymentError(terms, error.message)
      budgets.release(paymentId)
      journal.fail(entry)
      throw toNetworkError(http.url, error)
    }
    const transaction = this.#findTransaction(reply)
    if (transaction !== undefined) budgets.commit(paymentId)
    // The seller has the authorization and can still collect the payment, so that the amount stays reserved.
    if (reply.status >= 300)
      throw createUnknownPaymentError(terms, `the seller responded with ${reply.status}`)
    const { asset, amount, requirements } = terms
    const payment = { asset, amount: String(amount), payTo: requirements.payTo }
    const response = {
      ...toResponse(reply),
      payment: transaction === undefined ? payment : { ...payment, transaction },
    }
    journal.complete(entry.key, JSON.stringify(response))
    return response
  }

  /** Returns the transaction of a successful settlement. */
  #findTransaction({ headers }: HttpReply): string | undefined {
    try {
      const { success, transaction } = this.#client.getPaymentSettleResponse((name) => headers.get(name))
      return success ? transaction : undefined
    } catch {
      // The header is missing or malformed.
      return undefined
    }
  }
}

function parsePrivateKey(text: string): Hex {
  const key = text.startsWith('0x') ? text : `0x${text}`
  if (isHex(key) && key.length === 66) return key
  throw new SettingsError('MINTMARK_MCP_PRIVATE_KEY is malformed. Set it to 0x and 64 hexadecimal digits')
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

function toNetworkError({ host }: URL, { message }: ExchangeError): ToolError {
  return new ToolError({
    kind: 'Network',
    message: `${host} did not respond: ${message}. Nothing was paid`,
    whatToDo: 'Repeat the call later.',
  })
}

function createUnknownPaymentError({ asset, amount }: PaymentTerms, cause: string): ToolError {
  return new ToolError({
    kind: 'UnknownOutcome',
    message: `The payment of ${amount} of ${asset} was sent, and its outcome is unknown: ${cause}. The amount stays reserved`,
    whatToDo: 'Tell the user. Do not pay again unless the user says so; then call with a new `intent`.',
  })
}

/** Text, JSON and XML. */
const TEXT_TYPE = /^text\/|[/+](?:json|xml|javascript|yaml)\b|^$/

function toResponse({ status, headers, body, isTruncated }: HttpReply): PaidResponse {
  const contentType = headers.get('content-type') ?? ''
  const isText = TEXT_TYPE.test(contentType)
  const notes = [
    ...(isText ? [] : [`The content is not text: ${body.length} bytes were received`]),
    ...(isTruncated ? ['The content is longer than the limit, and its end is missing'] : []),
  ]
  return {
    status,
    contentType,
    ...(isText && { body: body.toString() }),
    ...(notes.length > 0 && { note: notes.join('. ') }),
  }
}
