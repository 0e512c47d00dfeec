import {
  type AnyMintmarkError,
  type Entries,
  isMintmarkError,
  type Page,
  page,
  pageQuery,
  type Schema,
  type SIGNATURE_REPLAYED,
  type STALE_TIMESTAMP,
} from '@mintmark/envelope'
import type * as v from 'valibot'
import { eachItem, eachPage } from './paging.ts'

/**
 * Where an operation's address comes from. `stated`: the specification gives method, path and shapes; it cannot be sent elsewhere.
 * `method`: the specification gives the name and the method. `name`: the name alone. `added`: it names neither, but what it names
 * cannot work without. `own`: ours; the specification knows nothing of it.
 */
export type Source = 'stated' | 'method' | 'name' | 'added' | 'own'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A business rule that can refuse a call. Domain packages export theirs as constants. */
export interface Rule<Reason extends string = string> {
  /** The stable word in `error.reason`, such as `OUT_OF_STOCK`. */
  readonly reason: Reason
  /** The code in the gateway's envelope: the HTTP status and two more digits. The facilitator's rules have none. */
  readonly code?: number
}

/** An error that an operation declares: a class such as `NotFoundError`, or a rule. */
export type DeclaredError = { readonly kind: AnyMintmarkError['kind'] } | Rule

/** An operation as data: the client, the server, the documents and the tests read this same value. */
export interface OperationShape {
  /** `group.verb`, unique over both interfaces. */
  readonly id: string
  readonly door: 'gateway' | 'facilitator'
  readonly method: Method
  /** From the base URL on; `{name}` stands for a path parameter. */
  readonly path: string
  readonly source: Source
  /** Replay refusal and retries follow this and `idempotent`, not the method. */
  readonly effect: 'read' | 'write'
  /** Sending it twice does what sending it once does. */
  readonly idempotent: boolean
  /** What the key must be allowed to do, such as `cards:write`. */
  readonly scope?: string
  readonly params?: Entries
  readonly query?: Entries
  readonly body?: Entries
  /** Unknown fields of the body pass through (x402 extensions). Otherwise they are refused. */
  readonly openBody?: boolean
  readonly data: Schema<unknown>
  /** What a handler may refuse with, besides what every call can end in. */
  readonly errors: readonly DeclaredError[]
  /** Where the data stands: in an envelope, as plain JSON, in the PAYMENT-RESPONSE header, or nowhere. */
  readonly result: 'envelope' | 'json' | 'header' | 'none'
  /** It answers a page. */
  readonly paged?: boolean
}

/** What one call may set. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Milliseconds for each attempt; default the client's. */
  timeout?: number | undefined
  /** Further headers. The three of the signature cannot be set. */
  headers?: Record<string, string> | undefined
  /** How often a call that is safe to repeat is sent again; default the client's. */
  retries?: number | undefined
  /**
   * Sent as Idempotency-Key: makes a POST safe to repeat on a server that honours it (ours do). A text of yours, or
   * 'auto' for a random one. It is never sent unasked.
   */
  idempotencyKey?: string | undefined
}

/** An answer with what came around its data. */
export interface CallResult<Data = unknown> {
  data: Data
  status: number
  headers: Headers
  /** The server's X-Request-Id. */
  requestId: string | undefined
}

/** What an operation needs of a client. Structural: two copies of this package work together. */
export interface Client<Door extends 'gateway' | 'facilitator'> {
  readonly kind: Door
  call(operation: OperationShape, input: unknown, options?: CallOptions): Promise<CallResult>
}
export type GatewayClient = Client<'gateway'>
export type FacilitatorClient = Client<'facilitator'>

type Flat<T> = { [K in keyof T]: T[K] }
type None = Record<never, never>
type InOf<E> = [E] extends [Entries] ? v.InferInput<v.ObjectSchema<E, undefined>> : None
type Or<T> = [T] extends [Entries] ? T : None
type Clash<A, B> = keyof Or<A> & keyof Or<B>
/** One flat input of all three parts. */
type Input<P, Q, B> = Flat<InOf<Flat<Or<P> & Or<Q> & Or<B>>>>

type Arguments<In> = [keyof In] extends [never]
  ? [input?: Record<string, never>, options?: CallOptions]
  : None extends In
    ? [input?: In, options?: CallOptions]
    : [input: In, options?: CallOptions]

/** The shape with its types. `~types` is not there at run time. */
export interface Operation<
  Door extends 'gateway' | 'facilitator',
  Id extends string,
  In,
  Data,
  From extends Source,
  Errors extends DeclaredError,
> extends OperationShape {
  (client: Client<Door>, ...args: Arguments<In>): Promise<Data>
  readonly id: Id
  readonly door: Door
  readonly source: From
  readonly '~types'?: { input: In; data: Data; errors: Errors }
}

/** An operation that answers a page, and can go on to the next. */
export interface PagedOperation<
  Door extends 'gateway' | 'facilitator',
  Id extends string,
  In,
  Item,
  From extends Source,
  Errors extends DeclaredError,
> extends Operation<Door, Id, In, Page<Item>, From, Errors> {
  /** The pages, one call each. */
  pages(client: Client<Door>, ...args: Arguments<In>): AsyncGenerator<Page<Item>, void, undefined>
  /** The items of all pages. */
  items(client: Client<Door>, ...args: Arguments<In>): AsyncGenerator<Item, void, undefined>
}

/** Any operation, as servers and documents take it. */
export type AnyOperation = OperationShape & {
  readonly '~types'?: { input: unknown; data: unknown; errors: DeclaredError }
}
export type InputOf<O> = O extends { readonly '~types'?: { input: infer In } } ? In : never
export type DataOf<O> = O extends { readonly '~types'?: { data: infer Data } } ? Data : never
export type ErrorsOf<O> = O extends { readonly '~types'?: { errors: infer Errors } } ? Errors : never
/** The words of the rules that can refuse an operation. */
export type ReasonOf<O> = Extract<ErrorsOf<O>, Rule>['reason']
/** The errors that a call of an operation can end in: `reason` is one of the operation's own words, or that of a failed signature. */
export type ErrorOf<O> = AnyMintmarkError & {
  readonly reason?: ReasonOf<O> | (typeof STALE_TIMESTAMP | typeof SIGNATURE_REPLAYED)['reason']
}

/** What a definition states; what it leaves out follows from the method and the interface. */
interface Definition<
  Id extends string,
  From extends Source,
  P,
  Q,
  B,
  Errors extends readonly DeclaredError[],
> {
  id: Id
  method: Method
  path: string
  source: From
  /** Default: a GET reads, the rest writes. */
  effect?: 'read' | 'write'
  /** Default: what reads is idempotent. */
  idempotent?: boolean
  scope?: string
  params?: P
  query?: Q & ([Clash<P, Q>] extends [never] ? unknown : 'a field stands in params and query')
  body?: B &
    ([Clash<P, B> | Clash<Q, B>] extends [never] ? unknown : 'a field stands in two parts of the input')
  openBody?: boolean
  errors?: Errors
}

function operation(door: 'gateway' | 'facilitator', definition: object, extra?: object): unknown {
  const given = definition as Definition<string, Source, Entries, Entries, Entries, readonly DeclaredError[]>
  const effect = given.effect ?? (given.method === 'GET' ? 'read' : 'write')
  const call = async (client: Client<'gateway' | 'facilitator'>, input?: unknown, options?: CallOptions) =>
    (await client.call(shape, input, options)).data
  const shape = Object.assign(call, {
    door,
    effect,
    idempotent: effect === 'read',
    errors: [],
    result: door === 'gateway' ? 'envelope' : 'json',
    ...given,
    ...extra,
  }) as unknown as OperationShape
  return shape
}

/** Defines an operation of the gateway. */
/* @__NO_SIDE_EFFECTS__ */
export function gatewayOperation<
  const Id extends string,
  const From extends Source,
  D,
  const P extends Entries | undefined = undefined,
  const Q extends Entries | undefined = undefined,
  const B extends Entries | undefined = undefined,
  const Errors extends readonly DeclaredError[] = [],
>(
  definition: Definition<Id, From, P, Q, B, Errors> & { data: Schema<D> },
): Operation<'gateway', Id, Input<P, Q, B>, D, From, Errors[number]> {
  return operation('gateway', definition) as never
}

/** Defines an operation of the facilitator. */
/* @__NO_SIDE_EFFECTS__ */
export function facilitatorOperation<
  const Id extends string,
  const From extends Source,
  D,
  const P extends Entries | undefined = undefined,
  const Q extends Entries | undefined = undefined,
  const B extends Entries | undefined = undefined,
  const Errors extends readonly DeclaredError[] = [],
>(
  definition: Definition<Id, From, P, Q, B, Errors> & {
    data: Schema<D>
    result?: 'json' | 'header' | 'none'
  },
): Operation<'facilitator', Id, Input<P, Q, B>, D, From, Errors[number]> {
  return operation('facilitator', definition) as never
}

type PageQuery = typeof pageQuery
type WithPage<Q> = Flat<PageQuery & Or<Q>>

function paged(door: 'gateway' | 'facilitator', definition: object): unknown {
  const { item, query } = definition as { item: Schema<unknown>; query?: Entries }
  const shape = operation(door, definition, {
    data: page(item),
    query: { ...pageQuery, ...query },
    paged: true,
  }) as OperationShape
  return Object.assign(shape, {
    pages: eachPage.bind(undefined, shape),
    items: eachItem.bind(undefined, shape),
  })
}

/** Defines an operation of the gateway that answers a page of `item`. The page query's fields are added to `query`. */
/* @__NO_SIDE_EFFECTS__ */
export function pagedGatewayOperation<
  const Id extends string,
  const From extends Source,
  Item,
  const P extends Entries | undefined = undefined,
  const Q extends Entries | undefined = undefined,
  const Errors extends readonly DeclaredError[] = [],
>(
  definition: Definition<Id, From, P, Q, undefined, Errors> & { item: Schema<Item> },
): PagedOperation<'gateway', Id, Input<P, WithPage<Q>, undefined>, Item, From, Errors[number]> {
  return paged('gateway', definition) as never
}

/** Defines an operation of the facilitator that answers a page of `item`. */
/* @__NO_SIDE_EFFECTS__ */
export function pagedFacilitatorOperation<
  const Id extends string,
  const From extends Source,
  Item,
  const P extends Entries | undefined = undefined,
  const Q extends Entries | undefined = undefined,
  const Errors extends readonly DeclaredError[] = [],
>(
  definition: Definition<Id, From, P, Q, undefined, Errors> & { item: Schema<Item> },
): PagedOperation<'facilitator', Id, Input<P, WithPage<Q>, undefined>, Item, From, Errors[number]> {
  return paged('facilitator', definition) as never
}

/** Calls an operation and answers its data together with the status, the headers and the request id. */
export async function withResponse<
  Door extends 'gateway' | 'facilitator',
  Id extends string,
  In,
  Data,
  From extends Source,
  Errors extends DeclaredError,
>(
  operation: Operation<Door, Id, In, Data, From, Errors>,
  client: Client<Door>,
  ...[input, options]: Arguments<In>
): Promise<CallResult<Data>> {
  // The client checked the data against the operation's schema, or was told not to (`responses`).
  return (await client.call(operation, input, options)) as CallResult<Data>
}

/**
 * Whether a call of the operation ended in this error. Then `error.reason` has the type of the operation's own words.
 *
 * @example
 * if (isErrorOf(orders.preOrder, error) && error.reason === 'OUT_OF_STOCK') showSoldOut()
 */
export function isErrorOf<O extends AnyOperation>(operation: O, error: unknown): error is ErrorOf<O> {
  return isMintmarkError(error) && error.operation === operation.id
}

export { inputIssues, inputSchema } from './input.ts'
