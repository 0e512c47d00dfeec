import type {
  Arguments,
  CallResult,
  Client,
  DeclaredError,
  Operation,
  Service,
  Source,
} from '@mintmark/operation'

/**
 * Calls an operation and returns its data together with the status, the headers and the request id.
 *
 * @example
 * const { data, requestId } = await withResponse(promoCodeCards.get, gateway, { id: 7 })
 */
export async function withResponse<
  S extends Service,
  Id extends string,
  In,
  Data,
  From extends Source,
  Errors extends DeclaredError,
>(
  operation: Operation<S, Id, In, Data, From, Errors>,
  client: Client<S>,
  ...[input, options]: Arguments<In>
): Promise<CallResult<Data>> {
  // The client has checked the data against the operation's schema, unless its option `responses` prevents
  // it.
  return (await client.call(operation, input, options)) as CallResult<Data>
}
