import type {
  AnyMintmarkError,
  Entries,
  IDEMPOTENCY_KEY_REUSED,
  Page,
  Schema,
  SIGNATURE_REPLAYED,
  STALE_TIMESTAMP,
} from '@mintmark/envelope'
import type * as v from 'valibot'

/** The server that an operation belongs to. */
export type Service = 'gateway' | 'facilitator'

/**
 * Where an operation's address comes from. `stated`: the specification defines method, path and shapes, so
 * that the operation cannot be rerouted. `method`: the specification defines the name and the method. `name`:
 * only the name. `added`: the specification does not name it, but operations that it names need it. `own`: an
 * addition of Mintmark.
 */
export type Source = 'stated' | 'method' | 'name' | 'added' | 'own'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A business rule that can refuse a call. Domain packages export theirs as constants. */
export interface Rule<Reason extends string = string> {
  /** The stable word in `error.reason`, such as `OUT_OF_STOCK`. */
  readonly reason: Reason
  /**
   * The code in the gateway's envelope: the HTTP status and two more digits. The facilitator's rules have
   * none.
   */
  readonly code?: number
  /** The HTTP status of a rule without a code. */
  readonly status?: number
  /** What is wrong, unless the server has a more specific message. Absent in bundles for browsers. */
  readonly message?: string
  /** The fields of `error.detail`: what a program needs in order to act on the refusal. */
  readonly detail?: Entries
}
/** The detail of a rule. `never` for a rule without one. */
export type DetailOf<R> = R extends { readonly detail: infer E extends Entries }
  ? v.InferOutput<v.ObjectSchema<E, undefined>>
  : never

interface ErrorClass {
  /** The `kind` of the class's errors. */
  readonly kind: AnyMintmarkError['kind']
}

/** An error that an operation declares: a class such as `NotFoundError`, or a rule. */
export type DeclaredError = ErrorClass | Rule

/** An operation as data. Clients, servers, documents and tests read this one value. */
export interface OperationShape {
  /** `group.verb`, unique over both services. */
  readonly id: string
  /** The server that it belongs to. */
  readonly service: Service
  /** The HTTP method. */
  readonly method: Method
  /** Relative to the base URL; `{name}` is a path parameter. */
  readonly path: string
  /** Where its address comes from. */
  readonly source: Source
  /** Replay protection and retries depend on `effect` and `idempotent`, not on the method. */
  readonly effect: 'read' | 'write'
  /** Whether repeating the call has the same effect as one call. */
  readonly idempotent: boolean
  /**
   * Whether the server ignores the Idempotency-Key of this POST. For any other POST it returns the first
   * response to a call that repeats the key. Default: no.
   */
  readonly ignoresIdempotencyKey?: true
  /** The scope that the key needs, such as `cards:write`. */
  readonly scope?: string
  /**
   * Whether a publishable key, which anybody can read in a page, may call it. Only reads of what everybody
   * may see. Default: no.
   */
  readonly publishable?: true
  /** The fields of the input that are in the path. */
  readonly params?: Entries
  /** The fields of the input that are in the query. */
  readonly query?: Entries
  /** The fields of the input that are in the body. */
  readonly body?: Entries
  /** Fields of which an input has exactly one, such as the id and the code of a card. */
  readonly oneOf?: readonly string[]
  /** Whether unknown fields of the body pass through (x402 extensions). Otherwise they are rejected. */
  readonly openBody?: boolean
  /** The schema of the data that it returns. */
  readonly data: Schema<unknown>
  /** The errors of this operation, in addition to those of every call. */
  readonly errors: readonly DeclaredError[]
  /**
   * Where the response has the data: in an envelope, as plain JSON, in the PAYMENT-RESPONSE header, nowhere,
   * or in the messages of a stream of server-sent events, of which each has one value of `data`. A stream has
   * no end.
   */
  readonly result: 'envelope' | 'json' | 'header' | 'none' | 'event-stream'
  /** Whether the data is a page. */
  readonly paged?: boolean
  /** The fields that a page can be ordered by. Default: `id` and `createTime`. */
  readonly orders?: readonly string[]
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Milliseconds for each attempt, and at most for each wait; default: the client's. */
  timeout?: number | undefined
  /** Additional headers. They cannot replace the three headers of the signature. */
  headers?: Record<string, string> | undefined
  /** How often to retry a call that is safe to repeat; default: the client's. */
  retries?: number | undefined
  /**
   * Sent as Idempotency-Key, so that repeating the call has no second effect: for every POST except the
   * facilitator's `webhooks.*`. Not sent with other calls, because servers ignore it there. Your own text, or
   * 'auto' for a random one. Default: none.
   */
  idempotencyKey?: string | undefined
}

/** The data of a response with its status and headers. */
export interface CallResult<Data = unknown> {
  /** The data that the operation returns. */
  data: Data
  /** The HTTP status. */
  status: number
  /** The headers of the response. */
  headers: Headers
  /** The server's X-Request-Id. */
  requestId: string | undefined
}

/** What an operation needs of a client. Structural, so that two copies of this package work together. */
export interface Client<S extends Service> {
  /** The service that the client calls. */
  readonly kind: S
  /**
   * Calls an operation. Operations call this; call it yourself to read the status and headers of the
   * response.
   */
  call(operation: OperationShape, input: unknown, options?: CallOptions): Promise<CallResult>
}
export type GatewayClient = Client<'gateway'>
export type FacilitatorClient = Client<'facilitator'>

type None = Record<never, never>

/** The arguments of an operation after the client. The input is optional when all of its fields are. */
export type Arguments<In> = [keyof In] extends [never]
  ? [input?: Record<string, never>, options?: CallOptions]
  : None extends In
    ? [input?: In, options?: CallOptions]
    : [input: In, options?: CallOptions]

/** An operation: a function that calls it, and its shape. `~types` exists in types only. */
export interface Operation<
  S extends Service,
  Id extends string,
  In,
  Data,
  From extends Source,
  Errors extends DeclaredError,
> extends OperationShape {
  (client: Client<S>, ...args: Arguments<In>): Promise<Data>
  readonly id: Id
  readonly service: S
  readonly source: From
  readonly '~types'?: { input: In; data: Data; errors: Errors }
}

/** An operation whose data is a page. It paginates automatically with `pages` and `items`. */
export interface PagedOperation<
  S extends Service,
  Id extends string,
  In,
  Item,
  From extends Source,
  Errors extends DeclaredError,
> extends Operation<S, Id, In, Page<Item>, From, Errors> {
  /** Iterates over the pages, one call each. */
  pages(client: Client<S>, ...args: Arguments<In>): AsyncGenerator<Page<Item>, void, undefined>
  /** Iterates over the items of all pages. */
  items(client: Client<S>, ...args: Arguments<In>): AsyncGenerator<Item, void, undefined>
}

/**
 * An operation whose response is a stream of server-sent events. The function iterates over the data of the
 * messages. `call` of a client returns the response's body, a `ReadableStream` of bytes.
 */
export interface StreamOperation<
  S extends Service,
  Id extends string,
  In,
  Item,
  From extends Source,
  Errors extends DeclaredError,
  Options,
> extends OperationShape {
  (client: Client<S>, options?: Options): AsyncGenerator<Item, void, undefined>
  readonly id: Id
  readonly service: S
  readonly source: From
  readonly result: 'event-stream'
  readonly '~types'?: { input: In; data: Item; errors: Errors }
}

/** Any operation, with its types. */
export type AnyOperation = OperationShape & {
  readonly '~types'?: { input: unknown; data: unknown; errors: DeclaredError }
}
export type InputOf<O> = O extends { readonly '~types'?: { input: infer In } } ? In : never
export type DataOf<O> = O extends { readonly '~types'?: { data: infer Data } } ? Data : never
export type ErrorsOf<O> = O extends { readonly '~types'?: { errors: infer Errors } } ? Errors : never
/** The words of the rules that can refuse an operation. */
export type ReasonOf<O> = Extract<ErrorsOf<O>, Rule>['reason']
/** The reasons of the rules that can refuse every call of the gateway. */
type GatewayReason<O> = O extends { readonly service: 'gateway' }
  ? (typeof STALE_TIMESTAMP | typeof SIGNATURE_REPLAYED | typeof IDEMPOTENCY_KEY_REUSED)['reason']
  : never
/** The rules of an operation that have a detail. */
type DetailedRule<O> = Extract<ErrorsOf<O>, Rule & { readonly detail: Entries }>
/** The reason of a rule with its detail, which is optional if all of its fields are. */
type Detailed<R> = R extends Rule
  ? None extends DetailOf<R>
    ? { readonly reason: R['reason']; readonly detail?: DetailOf<R> }
    : { readonly reason: R['reason']; readonly detail: DetailOf<R> }
  : never
/** Any word, if the operation declares that it can be refused for reasons which it does not list. */
type UnlistedReason<O> = [Extract<ErrorsOf<O>, { readonly kind: 'Refused' }>] extends [never]
  ? never
  : string & {}
/**
 * The errors that a call of an operation can end in. `reason` is a word that the operation declares, or that
 * of an invalid signature or a reused Idempotency-Key. Comparing it narrows `detail` to that of the rule.
 */
export type ErrorOf<O> = AnyMintmarkError &
  (
    | Detailed<DetailedRule<O>>
    | {
        /** The rule that refused the call. */
        readonly reason?:
          | Exclude<ReasonOf<O>, DetailedRule<O>['reason']>
          | GatewayReason<O>
          | UnlistedReason<O>
        /** What the rule says about the call. This one says nothing. */
        readonly detail?: undefined
      }
  )
