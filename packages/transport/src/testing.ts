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

/** A clock that stands still until it is told otherwise. */
export interface FixedClock {
  (): number
  /** Moves it on, in milliseconds. */
  advance(milliseconds: number): void
}

/**
 * @param start Milliseconds since the epoch, or an ISO 8601 date-time.
 *
 * @example createGateway({ …, now: fixedClock('2026-01-01T00:00:00Z') })
 */
export function fixedClock(start: number | string): FixedClock {
  let time = typeof start === 'number' ? start : Date.parse(start)
  if (Number.isNaN(time)) throw new TypeError('fixedClock: not a date-time')
  return Object.assign(() => time, {
    advance(milliseconds: number) {
      time += milliseconds
    },
  })
}

/** What a test's client answers to one operation. */
export interface Answered {
  readonly operation: OperationShape
  readonly respond: (input: unknown) => unknown
}

/** Gives an operation its answer: data, or a function of the input, which may throw one of the error classes. */
export function answer<O extends AnyOperation>(
  operation: O,
  data: DataOf<O> | ((input: InputOf<O>) => DataOf<O>),
): Answered {
  const respond = typeof data === 'function' ? (data as (input: unknown) => unknown) : () => data
  return { operation, respond }
}

/** A client for tests, and the calls it was asked for. */
export type TestClient<S extends Service> = Client<S> & {
  readonly calls: readonly { operation: string; input: unknown }[]
}

/**
 * A client that answers from given data, without a server. Inputs are checked as the real one does.
 *
 * @example
 * const gateway = testClient('gateway', [answer(promoCodeCards.get, ({ id }) => ({ ...card, id }))])
 */
export function testClient<S extends Service>(kind: S, answers: readonly Answered[]): TestClient<S> {
  const calls: { operation: string; input: unknown }[] = []
  return {
    kind,
    calls,
    async call(operation, input): Promise<CallResult> {
      checkInput(operation, input ?? {})
      calls.push({ operation: operation.id, input })
      const found = answers.find((given) => given.operation.id === operation.id)
      if (!found) throw new TypeError(`testClient has no answer for ${operation.id}`)
      const data = await found.respond(input ?? {})
      return { data, status: 200, headers: new Headers(), requestId: 'test' }
    },
  }
}
