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

const SCREENING_TIMEOUT_MS = 2000
/** A decision has some hundred bytes. */
const MAX_RESPONSE_BYTES = 65_536

/**
 * Requests a decision of the operator's service.
 *
 * @throws Error if it does not decide in time. The message contains nothing of the address, which may contain
 * a key, and nothing of the response.
 */
export async function requestDecision(
  url: URL,
  request: ScreeningRequest,
  timeoutMs = SCREENING_TIMEOUT_MS,
): Promise<Decision> {
  const signal = AbortSignal.timeout(timeoutMs)
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
    text = await readText(response)
  } catch (error) {
    throw new Error(signal.aborted ? `no response within ${timeoutMs} ms` : describe(error))
  }
  if (response.status !== 200) throw new Error(`it responded with status ${response.status}`)
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Decision), text)
  if (!parsed.success) throw new Error('its response is no decision: expected { allowed, reason? } as JSON')
  return parsed.output
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES) throw new Error('its response is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Messages of fetch may contain the address, those of their causes only a code that matters. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const { cause } = error
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.name
  return error.name === 'Error' ? error.message : error.name
}
