import { type Entries, page, pageQuery, type Schema } from '@mintmark/envelope'
import type * as v from 'valibot'
import { eachItem, eachPage } from './paging.ts'
import type {
  CallOptions,
  Client,
  DeclaredError,
  Method,
  Operation,
  OperationShape,
  PagedOperation,
  Service,
  Source,
  StreamOperation,
} from './types.ts'

type Flat<T> = { [K in keyof T]: T[K] }
type None = Record<never, never>
type InOf<E> = [E] extends [Entries] ? v.InferInput<v.ObjectSchema<E, undefined>> : None
type Or<T> = [T] extends [Entries] ? T : None
/** An input that has exactly one of the fields `Name`. */
type WithOneOf<In, Name extends string> = [Name] extends [never]
  ? In
  : {
      [Given in Name & keyof In]: Flat<
        Omit<In, Name> & { [K in keyof Pick<In, Given>]-?: NonNullable<In[K]> } & {
          [K in keyof Omit<Pick<In, Name & keyof In>, Given>]?: undefined
        }
      >
    }[Name & keyof In]
type Clash<A, B> = keyof Or<A> & keyof Or<B>
/** One flat input of all three parts. */
type Input<P, Q, B> = Flat<InOf<Flat<Or<P> & Or<Q> & Or<B>>>>

/** The definition of an operation. Defaults depend on the method and the service. */
interface Definition<
  Id extends string,
  From extends Source,
  P,
  Q,
  B,
  Errors extends readonly DeclaredError[],
  OneOf extends string = never,
> {
  id: Id
  method: Method
  path: string
  source: From
  /** Default: `read` for GET, `write` otherwise. */
  effect?: 'read' | 'write'
  /** Default: true for reads. */
  idempotent?: boolean
  /** Set it on a POST that writes and for which the server keeps no Idempotency-Key. */
  ignoresIdempotencyKey?: true
  scope?: string
  /** Whether a publishable key may call it. Default: no. Set it only on reads of what everybody may see. */
  publishable?: true
  params?: P
  query?: Q & ([Clash<P, Q>] extends [never] ? unknown : 'a field is in both params and query')
  body?: B & ([Clash<P, B> | Clash<Q, B>] extends [never] ? unknown : 'a field is in two parts of the input')
  /** Fields of which an input has exactly one. They are optional in `params`, `query` and `body`. */
  oneOf?: readonly OneOf[]
  openBody?: boolean
  errors?: Errors
}
type AnyDefinition = Definition<string, Source, Entries, Entries, Entries, readonly DeclaredError[]>

/**
 * Creates the function that calls the operation, with the operation's shape as its properties.
 *
 * @param read Replaces the function, for an operation that is not called once.
 */
function createOperation(
  service: Service,
  definition: object,
  additions?: object,
  read?: (client: never) => unknown,
): OperationShape {
  const { method, effect = method === 'GET' ? 'read' : 'write' } = definition as AnyDefinition
  async function call(client: Client<Service>, input?: unknown, options?: CallOptions): Promise<unknown> {
    return (await client.call(operation, input, options)).data
  }
  const defaults = {
    service,
    effect,
    idempotent: effect === 'read',
    errors: [],
    result: service === 'gateway' ? 'envelope' : 'json',
  }
  // The typed functions below check the definition.
  const operation = Object.assign(read ?? call, defaults, definition, additions) as unknown as OperationShape
  return operation
}

function createPagedOperation(service: Service, definition: object): OperationShape {
  const { item, query } = definition as { item: Schema<unknown>; query?: Entries }
  const operation = createOperation(service, definition, {
    data: page(item),
    query: { ...pageQuery, ...query },
    paged: true,
  })
  return Object.assign(operation, {
    pages: eachPage.bind(undefined, operation),
    items: eachItem.bind(undefined, operation),
  })
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
  const OneOf extends string = never,
>(
  definition: Definition<Id, From, P, Q, B, Errors, OneOf> & { data: Schema<D> },
): Operation<'gateway', Id, WithOneOf<Input<P, Q, B>, OneOf>, D, From, Errors[number]> {
  return createOperation('gateway', definition) as never
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
  return createOperation('facilitator', definition) as never
}

/**
 * The order of a list: the name of a field, followed by ` desc` for descending order. `''` is the default
 * order of the list.
 */
export type OrderBy<Name extends string> = '' | Name | `${Name} asc` | `${Name} desc`

interface Order<Name extends string> {
  /** The order of the list: a field's name, followed by ` desc` for descending order. */
  readonly orderBy: v.OptionalSchema<Schema<OrderBy<Name>>, undefined>
}
type WithPage<Q, Name extends string> = Flat<Omit<typeof pageQuery, 'orderBy'> & Order<Name> & Or<Q>>

/** The definition of a list. */
interface ListDefinition<Item, Name extends string> {
  item: Schema<Item>
  /**
   * The fields that the list can be ordered by. Default: `id` and `createTime`. Only the server refuses
   * others, with an error that names these, so that clients need no schema for each list.
   */
  orders?: readonly Name[]
}

/**
 * Defines an operation of the gateway that returns a page of `item`. The fields of the page query are added
 * to `query`.
 */
/* @__NO_SIDE_EFFECTS__ */
export function pagedGatewayOperation<
  const Id extends string,
  const From extends Source,
  Item,
  const P extends Entries | undefined = undefined,
  const Q extends Entries | undefined = undefined,
  const Errors extends readonly DeclaredError[] = [],
  const Name extends string = 'id' | 'createTime',
>(
  definition: Definition<Id, From, P, Q, undefined, Errors> & ListDefinition<Item, Name>,
): PagedOperation<'gateway', Id, Input<P, WithPage<Q, Name>, undefined>, Item, From, Errors[number]> {
  return createPagedOperation('gateway', definition) as never
}

/**
 * Defines an operation of the facilitator that returns a page of `item`. The fields of the page query are
 * added to `query`.
 */
/* @__NO_SIDE_EFFECTS__ */
export function pagedFacilitatorOperation<
  const Id extends string,
  const From extends Source,
  Item,
  const P extends Entries | undefined = undefined,
  const Q extends Entries | undefined = undefined,
  const Errors extends readonly DeclaredError[] = [],
  const Name extends string = 'id' | 'createTime',
>(
  definition: Definition<Id, From, P, Q, undefined, Errors> & ListDefinition<Item, Name>,
): PagedOperation<'facilitator', Id, Input<P, WithPage<Q, Name>, undefined>, Item, From, Errors[number]> {
  return createPagedOperation('facilitator', definition) as never
}

/**
 * Defines an operation of the gateway whose response is a stream of server-sent events. `data` is the schema
 * of each message's data.
 *
 * @param read Iterates over the stream of this operation. It resumes after a lost connection.
 */
/* @__NO_SIDE_EFFECTS__ */
export function gatewayStreamOperation<
  const Id extends string,
  const From extends Source,
  D,
  Options,
  const Q extends Entries | undefined = undefined,
  const Errors extends readonly DeclaredError[] = [],
>(
  definition: Definition<Id, From, undefined, Q, undefined, Errors> & { data: Schema<D> },
  read: (
    operation: OperationShape,
    client: Client<'gateway'>,
    options?: Options,
  ) => AsyncGenerator<D, void, undefined>,
): StreamOperation<'gateway', Id, Input<undefined, Q, undefined>, D, From, Errors[number], Options> {
  const iterate = (client: Client<'gateway'>, options?: Options) => read(operation, client, options)
  const operation = createOperation('gateway', definition, { result: 'event-stream' }, iterate)
  return operation as never
}
