import { type Page, UnexpectedResponse } from '@mintmark/envelope'
import type { CallOptions, Client, OperationShape } from './operation.ts'

/**
 * Pages from the one the input names on. It ends on the page object's own total and on an empty page; a server that
 * answers the same page again, or another page than was asked for, is an error: the caller would loop or lose items.
 */
export async function* eachPage<Door extends 'gateway' | 'facilitator'>(
  operation: OperationShape,
  client: Client<Door>,
  input: unknown,
  options?: CallOptions,
): AsyncGenerator<Page<never>, void, undefined> {
  let query: object = { ...(input as object | undefined) }
  let previous: string | undefined
  for (;;) {
    // The client checked the page against the operation's schema, or was told not to.
    const { data, status, requestId } = await client.call(operation, query, options)
    const page = data as Page<never>
    if (!(page.list?.length > 0)) return
    const text = JSON.stringify(page.list)
    const asked = (query as { pageNumber?: number }).pageNumber
    if (text === previous || (asked !== undefined && page.pageNumber !== asked)) {
      const what = text === previous ? 'the page before again' : `page ${page.pageNumber}`
      throw new UnexpectedResponse(`${operation.id}: asked for page ${asked}, the server answered ${what}`, {
        operation: operation.id,
        status,
        requestId,
        field: text === previous ? 'list' : 'pageNumber',
        received: data,
        accepted: false,
      })
    }
    yield page
    if (page.lastPage || page.pageNumber >= page.totalPage) return
    previous = text
    const next = page.paras?.next
    query = { ...query, pageNumber: page.pageNumber + 1, cursor: typeof next === 'string' ? next : undefined }
  }
}

/** The items of {@link eachPage}, one after the other. */
export async function* eachItem<Door extends 'gateway' | 'facilitator'>(
  operation: OperationShape,
  client: Client<Door>,
  input: unknown,
  options?: CallOptions,
): AsyncGenerator<never, void, undefined> {
  for await (const page of eachPage(operation, client, input, options)) yield* page.list
}
