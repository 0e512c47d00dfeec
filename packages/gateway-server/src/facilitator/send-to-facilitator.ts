import { HttpError } from '@mintmark/server-kit'
import type { FacilitatorSettings } from './facilitator-settings.ts'

/** An operator's call, as it is sent to the facilitator. */
export interface ForwardedCall {
  readonly method: string
  /** The path at the facilitator. */
  readonly path: string
  /** The query without its question mark. */
  readonly query: string
  /** JSON. Undefined for a read. */
  readonly body: Uint8Array<ArrayBuffer> | undefined
  /** Who makes the call. */
  readonly actor: string
  readonly idempotencyKey: string | undefined
}

/** The response of the facilitator. */
export interface FacilitatorResponse {
  readonly status: number
  /** JSON. */
  readonly body: string
  /** The header Retry-After. */
  readonly retryAfter: string | undefined
}

/** Below the 30 seconds that clients wait by default. */
const TIMEOUT_MS = 20_000
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

/** Errors of connections on which nothing was sent. */
const UNSENT: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** The reasons of failed calls of the facilitator. */
const REASONS = {
  unreachable: 'FacilitatorUnreachable',
  noResponse: 'FacilitatorNoResponse',
  refused: 'FacilitatorRefused',
  notFacilitator: 'FacilitatorMismatch',
} as const

/**
 * Sends a call to the operator interface of the facilitator, with its token and the actor.
 *
 * @throws HttpError 503 if nothing was sent or the facilitator is not set up, 504 if the outcome of the call
 * is unknown.
 */
export async function sendToFacilitator(
  { url, token }: FacilitatorSettings,
  call: ForwardedCall,
  timeoutMs: number = TIMEOUT_MS,
): Promise<FacilitatorResponse> {
  const { method, path, query, body, actor, idempotencyKey } = call
  const signal = AbortSignal.timeout(timeoutMs)
  let response: Response
  let text: string
  try {
    response = await fetch(`${url}${path}${query === '' ? '' : `?${query}`}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        'x-mintmark-actor': actor,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body }),
      // A redirect would send the token to another server.
      redirect: 'manual',
      signal,
    })
    text = await readLimited(response)
  } catch (error) {
    throw toConnectionError(error, signal.aborted)
  }
  refuseOtherServers(response)
  return { status: response.status, body: text, retryAfter: response.headers.get('retry-after') ?? undefined }
}

async function readLimited({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES) throw new Error('The response is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The message of an error of `fetch` can contain the address, so that only its code is reported. */
function toConnectionError(error: unknown, isTimeout: boolean): HttpError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  if (UNSENT.has(code)) {
    const message = `The facilitator cannot be reached (${code}). Check that it runs, and FACILITATOR_URL of this server`
    return new HttpError(503, message, { reason: REASONS.unreachable })
  }
  const failure = isTimeout ? 'did not respond in time' : `did not respond completely${code && ` (${code})`}`
  return new HttpError(
    504,
    `The facilitator ${failure}. A change may have been made: read it again, or repeat it with the same Idempotency-Key`,
    { reason: REASONS.noResponse },
  )
}

/** A proxy before the facilitator responded. Only with 503 has it certainly sent nothing on. */
function toGatewayError(status: number): HttpError {
  const message = `The facilitator cannot be reached: a proxy before it responds with ${status}. Check that the facilitator runs`
  return status === 503
    ? new HttpError(503, message, { reason: REASONS.unreachable })
    : new HttpError(504, message, { reason: REASONS.noResponse })
}

/**
 * Refuses the response of what is no operator interface, and the refusal of the token: a person must not be
 * signed out because this server has a wrong token.
 */
function refuseOtherServers({ status, headers }: Response): void {
  const isJson = headers.get('content-type')?.split(';')[0]?.trim() === 'application/json'
  // The interface marks each response so. Other paths of a facilitator, and those of other servers, do not
  // have both.
  const isInterface = isJson && headers.get('cache-control') === 'no-store'
  if (!isInterface && status >= 502) throw toGatewayError(status)
  if (!isInterface) {
    const message =
      'FACILITATOR_URL leads to no operator interface. Set OPERATOR_TOKEN of the facilitator, and check its version and FACILITATOR_URL of this server'
    throw new HttpError(503, message, { reason: REASONS.notFacilitator })
  }
  if (status === 401 || status === 403) {
    const message =
      'The facilitator refuses this server. Set FACILITATOR_OPERATOR_TOKEN to the OPERATOR_TOKEN of the facilitator'
    throw new HttpError(503, message, { reason: REASONS.refused })
  }
}
