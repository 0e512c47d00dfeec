import {
  type AnyOperation,
  type CallResult,
  type Client,
  checkInput,
  type DataOf,
  type InputOf,
  type OperationShape,
  type Service,
} from '@mintmark/operation'

/** A clock that advances only when `advance` is called. */
export interface FixedClock {
  (): number
  /** Advances the clock by milliseconds. */
  advance(milliseconds: number): void
}

/**
 * Creates a clock that advances only when `advance` is called.
 *
 * @param start Milliseconds since the epoch, or an ISO 8601 date-time.
 *
 * @example createGateway({ …, now: fixedClock('2026-01-01T00:00:00Z') })
 */
export function fixedClock(start: number | string): FixedClock {
  let time = typeof start === 'number' ? start : Date.parse(start)
  if (Number.isNaN(time))
    throw new TypeError(
      'The start of fixedClock is not a date-time. Pass milliseconds or an ISO 8601 date-time',
    )
  return Object.assign(() => time, {
    advance(milliseconds: number) {
      time += milliseconds
    },
  })
}

/** The response of a test client to one operation. */
export interface TestResponse {
  /** The operation. */
  readonly operation: OperationShape
  /** Returns its data for an input, or throws an error. */
  readonly respond: (input: unknown) => unknown
}

/**
 * Defines the response to an operation: data, or a function of the input. The function can throw one of the
 * error classes.
 */
export function respondTo<O extends AnyOperation>(
  operation: O,
  data: DataOf<O> | ((input: InputOf<O>) => DataOf<O>),
): TestResponse {
  const respond = typeof data === 'function' ? (data as (input: unknown) => unknown) : () => data
  return { operation, respond }
}

interface RecordedCall {
  /** The operation's id. */
  operation: string
  /** What it was called with. */
  input: unknown
}
/** A client for tests that records its calls. */
export type TestClient<S extends Service> = Client<S> & {
  /** The calls in their order. */
  readonly calls: readonly RecordedCall[]
}

/**
 * Creates a client that returns the given data without a server. Inputs are checked as a real client checks
 * them.
 *
 * @example
 * const gateway = testClient('gateway', [respondTo(promoCodeCards.get, ({ id }) => ({ ...card, id }))])
 */
export function testClient<S extends Service>(kind: S, responses: readonly TestResponse[]): TestClient<S> {
  const calls: { operation: string; input: unknown }[] = []
  return {
    kind,
    calls,
    async call(operation, input): Promise<CallResult> {
      checkInput(operation, input ?? {})
      calls.push({ operation: operation.id, input })
      const match = responses.find((each) => each.operation.id === operation.id)
      if (!match)
        throw new TypeError(`testClient has no response for ${operation.id}. Pass respondTo(…) for it`)
      const data = await match.respond(input ?? {})
      return { data, status: 200, headers: new Headers(), requestId: 'test' }
    },
  }
}
