import type { Issue, Rule } from '@mintmark/envelope'
import type { DeclaredError } from '@mintmark/transport/operation'

/** A handler's "no": thrown, so that a transaction it stands in is rolled back, and answered as the door says. */
export class Refusal extends Error {
  readonly status: number
  /** The envelope's code: the status, or a rule's five digits. */
  readonly code: number
  readonly issues: readonly Issue[]
  /** The facilitator's `error`: an error's kind, or a reason. */
  readonly reason: string
  /** Seconds, for Retry-After. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    message: string,
    more: {
      code?: number
      issues?: readonly Issue[]
      reason?: string
      retryAfter?: number | undefined
    } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = more.code ?? status
    this.issues = more.issues ?? []
    this.reason = more.reason ?? REASONS[status] ?? 'Refused'
    this.retryAfter = more.retryAfter
  }
}

const REASONS: Record<number, string> = {
  400: 'InvalidInput',
  401: 'Unauthorized',
  402: 'InsufficientBalance',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  413: 'InvalidInput',
  429: 'RateLimited',
  500: 'ServerError',
}

const STATUS_OF_KIND: Partial<Record<string, number>> = {
  InvalidInput: 400,
  InsufficientBalance: 402,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  Refused: 400,
}

/** The refusal of an error that the operation declares. */
export function declaredRefusal(error: DeclaredError, message?: string): Refusal {
  if ('code' in error) {
    const { code, message: usual, reason } = error satisfies Rule
    return new Refusal(Number(String(code).slice(0, 3)), message ?? usual, {
      code,
      ...(reason && { reason }),
    })
  }
  return new Refusal(STATUS_OF_KIND[error.kind] ?? 500, message ?? error.kind, { reason: error.kind })
}

/** 400 for one field. */
export function invalidField(path: string, message: string): Refusal {
  return new Refusal(400, `${path}: ${message}`, { issues: [{ path, message }] })
}
