import * as v from 'valibot'

/** What the operator's service decides about. */
export interface ScreeningRequest {
  readonly payer: string
  readonly payTo: string
  /** CAIP-2. */
  readonly network: string
  readonly asset: string
  /** Base units of the asset, in decimal digits. */
  readonly amount: string
}

const Decision = v.object({ allowed: v.boolean(), reason: v.optional(v.string(), '') })
export type Decision = v.InferOutput<typeof Decision>

const TIMEOUT_MS = 2000

/**
 * Requests a decision of the operator's service.
 *
 * @throws Error if it does not decide in time. The message contains nothing of the address, which may contain
 * a key, and nothing of the response.
 */
export async function requestDecision(url: URL, request: ScreeningRequest): Promise<Decision> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(request),
      // A redirect would send the payment to another server.
      redirect: 'manual',
      signal,
    })
    text = await response.text()
  } catch (error) {
    throw new Error(signal.aborted ? `no response within ${TIMEOUT_MS} ms` : describe(error))
  }
  if (response.status !== 200) throw new Error(`it responded with status ${response.status}`)
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Decision), text)
  if (!parsed.success) throw new Error('its response is no decision: expected { allowed, reason? } as JSON')
  return parsed.output
}

/** Messages of fetch may contain the address, the codes of their causes do not. */
function describe(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection failed'
}
