import type { Page } from '@mintmark/envelope'
import type { AnyOperation, DataOf, InputOf, OperationShape } from '@mintmark/operation'
import { applyFormats, createFormattedField } from './field-formats.ts'
import { type FieldLimits, listLimitedFields } from './field-limits.ts'
import { createFieldError, HttpError } from './http-error.ts'

/** What every handler gets. It refuses calls by `throw refusal(rule)`. */
export interface Refuse {
  /** Ends the call with 400, for a field that its type accepts and a rule does not. */
  invalid(field: string, message: string): never
  /** Returns the time by the clock of the server's rules, in milliseconds since the epoch. */
  now(): number
}

/** What a handler returns: the data, or the body of a stream; see `EventStream`. */
type ResultOf<O> = O extends { readonly result: 'event-stream' } ? ReadableStream<Uint8Array> : DataOf<O>

/** An operation's handler. It receives validated input and the context of the call. */
export type Handler<O extends AnyOperation, Context> = (
  input: InputOf<O>,
  context: Context & Refuse,
) => ResultOf<O> | Promise<ResultOf<O>>

/** A handler in two steps; see `withPreparation`. */
export interface PreparedHandler<Input, Context, Result> {
  readonly prepare: (input: Input, context: Context) => Promise<unknown>
  readonly handle: (input: Input, context: Context, prepared: never) => Result
}

/**
 * Creates a handler in two steps. `prepare` reads what the call needs of other systems, such as a chain. With
 * an Idempotency-Key it runs before the transaction of the key, so that no transaction waits for another
 * system. `handle` receives its result.
 */
export function withPreparation<Input, Context, Result, Prepared>(
  prepare: (input: NoInfer<Input>, context: NoInfer<Context>) => Promise<Prepared>,
  handle: (input: Input, context: Context, prepared: Prepared) => Result,
): PreparedHandler<Input, Context, Result> {
  return { prepare, handle }
}

type OperationsOf<Group> = { [K in keyof Group as Group[K] extends OperationShape ? K : never]: Group[K] }
type HandlerOf<H extends Handler<never, never>> =
  | H
  | PreparedHandler<Parameters<H>[0], Parameters<H>[1], ReturnType<H>>
type HandlersOf<Group, Context> = {
  [K in keyof OperationsOf<Group>]: OperationsOf<Group>[K] extends AnyOperation
    ? HandlerOf<Handler<OperationsOf<Group>[K], Context>>
    : never
}

/** An operation with its handler. */
export interface Route<Context> {
  readonly operation: OperationShape
  /** Runs before the handler and its transaction; see `withPreparation`. */
  readonly prepare?: ((input: never, context: Context & Refuse) => Promise<unknown>) | undefined
  readonly handle: (input: never, context: Context & Refuse, prepared: never) => unknown
  /** Upper bounds of the input's fields, checked before the handler runs. */
  readonly limits?: FieldLimits
  /** The maximum size of the body, in bytes. Default: that of the server. */
  readonly maxBodyBytes?: number
}

/**
 * Pairs a group of operations (a module of a domain package) with its handlers. A missing or an extra handler
 * does not compile.
 */
export type Implement<Context> = <Group extends object>(
  group: Group,
  handlers: HandlersOf<Group, Context>,
) => readonly Route<Context>[]

/**
 * Creates `implement` for a server's context.
 *
 * @param limits The limits of the operations' fields, in addition to their types. A field without a limit has
 * `DEFAULT_FIELD_LIMIT`.
 */
export function createImplement<Context>(limits: FieldLimits = {}): Implement<Context> {
  return (group, handlers) =>
    Object.entries<Route<Context>['handle'] | PreparedHandler<never, Context & Refuse, unknown>>(
      handlers,
    ).map(([name, handler]) =>
      withFormats(
        withDeclaredErrors({
          operation: (group as Record<string, OperationShape>)[name] as OperationShape,
          ...(typeof handler === 'function' ? { handle: handler } : handler),
          limits,
        }),
      ),
    )
}

/**
 * Turns a refusal that the operation does not declare into an error of the server: the refusal appears in no
 * client's type and in no document.
 */
function withDeclaredErrors<Context>(route: Route<Context>): Route<Context> {
  const { id, errors } = route.operation
  const check = (error: unknown): never => {
    if (!(error instanceof HttpError) || error.declared === undefined || errors.includes(error.declared))
      throw error
    throw new Error(`${id} does not declare the error ${error.reason}. Add it to its errors`, {
      cause: error,
    })
  }
  const { prepare, handle } = route
  return {
    ...route,
    ...(prepare && { prepare: (input, context) => prepare(input, context).catch(check) }),
    async handle(input, context, prepared) {
      try {
        return await handle(input, context, prepared)
      } catch (error) {
        return check(error)
      }
    },
  }
}

/** Creates what every handler gets. */
export function createRefuse(now: () => number = Date.now): Refuse {
  return {
    now,
    invalid(field, message) {
      throw createFieldError(field, message)
    },
  }
}

/**
 * Applies the formats of a route's fields before its handler runs. A repeated call with an idempotency key
 * gets its stored response earlier, so that a time that has since passed does not refuse it.
 */
function withFormats<Context>(route: Route<Context>): Route<Context> {
  const fields = listLimitedFields(route.operation, route.limits).flatMap(({ path, limit: { format } }) =>
    format === undefined ? [] : [createFormattedField(path, format)],
  )
  if (fields.length === 0) return route
  const { prepare } = route
  if (prepare !== undefined)
    return {
      ...route,
      prepare: async (input, context) => {
        await applyFormats(input, fields, context)
        return await prepare(input, context)
      },
    }
  return {
    ...route,
    async handle(input, context) {
      const query: object = input
      // A read that fails on a replica is repeated with the same input.
      const formatted: object = { ...query }
      await applyFormats(formatted, fields, context)
      const data = await route.handle(formatted as never, context, undefined as never)
      return route.operation.paged ? echoQuery(data as Page<unknown>, query) : data
    },
  }
}

/** A page echoes its query as the caller sent it, not in its stored form. */
function echoQuery(page: Page<unknown>, query: object): Page<unknown> {
  const names = Object.keys(page.paras)
  const paras = names.map((name) => [name, Reflect.get(name in query ? query : page.paras, name)])
  return { ...page, paras: Object.fromEntries(paras) }
}
