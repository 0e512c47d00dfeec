import { type Page, UnexpectedResponseError } from '@mintmark/envelope'
import { fail } from './failure.ts'
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
  let query = input as { pageNumber?: number; cursor?: unknown } | undefined
  let previous: string | undefined
  for (;;) {
    const result = await client.call(operation, query, options)
    // The client checked the page against the operation's schema, or was told not to.
    const page = result.data as Page<never>
    const { list, pageNumber } = page
    if (!(list?.length > 0)) return
    const text = JSON.stringify(list)
    const repeated = text === previous
    const asked = query?.pageNumber
    if (repeated || (asked ?? pageNumber) !== pageNumber) {
      const what = repeated ? 'the page before' : `page ${pageNumber}`
      throw fail(UnexpectedResponseError, operation, `page ${asked} came as ${what}`, result, {
        field: repeated ? 'list' : 'pageNumber',
        received: page,
        accepted: false,
      })
    }
    yield page
    if (page.lastPage || pageNumber >= page.totalPage) return
    previous = text
    const next = page.paras?.next
    query = { ...query, pageNumber: pageNumber + 1, cursor: typeof next === 'string' ? next : undefined }
  }
}

/** The items of {@link eachPage}, one after the other. */
export async function* eachItem<Door extends 'gateway' | 'facilitator'>(
  ...call: Parameters<typeof eachPage<Door>>
): AsyncGenerator<never, void, undefined> {
  for await (const page of eachPage(...call)) yield* page.list
}
