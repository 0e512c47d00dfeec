import { type Page, UnexpectedResponseError } from '@mintmark/envelope'
import { createCallError } from './errors.ts'
import type { CallOptions, Client, OperationShape, Service } from './types.ts'

/**
 * Iterates over the pages from the input's page on. Ends after `totalPage` and after an empty page. A server
 * that returns the same page twice, or another page than the requested one, is an error: the caller would
 * loop or miss items.
 */
export async function* eachPage<S extends Service>(
  operation: OperationShape,
  client: Client<S>,
  input: unknown,
  options?: CallOptions,
): AsyncGenerator<Page<never>, void, undefined> {
  let query = input as { pageNumber?: number; cursor?: unknown } | undefined
  let previous: string | undefined
  for (;;) {
    const result = await client.call(operation, query, options)
    // The client has checked the page against the operation's schema, unless its option `responses` prevents
    // it.
    const page = result.data as Page<never>
    const { list, pageNumber } = page
    if (!list?.length) return
    const text = JSON.stringify(list)
    const isRepeated = text === previous
    const { pageNumber: requested = pageNumber } = query ?? {}
    if (isRepeated || requested !== pageNumber) {
      const received = isRepeated ? 'the same list' : `page ${pageNumber}`
      const message = `Expected page ${requested}, received ${received}`
      throw createCallError(UnexpectedResponseError, operation, message, result, {
        field: isRepeated ? 'list' : 'pageNumber',
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

/** Iterates over the items of {@link eachPage}. */
export async function* eachItem<S extends Service>(
  ...call: Parameters<typeof eachPage<S>>
): AsyncGenerator<never, void, undefined> {
  for await (const page of eachPage(...call)) yield* page.list
}
