import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { toErrorReport } from '../tool-error.ts'

/** The fields of results that models do not get, such as the signing secret of a new webhook. */
const SECRET_FIELD = /^(?:secret|privateKey)$/
const WITHHELD = 'Withheld: models do not get secrets. Create or replace it with a client.'

/** Replaces the secrets in a result. */
export function redactSecretFields(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(redactSecretFields)
  if (typeof data !== 'object' || data === null) return data
  const entries = Object.entries(data).map(([name, value]) =>
    SECRET_FIELD.test(name) && typeof value === 'string' && value !== ''
      ? [name, WITHHELD]
      : [name, redactSecretFields(value)],
  )
  return Object.fromEntries(entries)
}

interface Bounded {
  readonly data: unknown
  readonly hint?: string
}

/** Returns how many of the items fit, at most all. */
function countFitting(items: readonly unknown[], maxCharacters: number): number {
  let characters = 0
  for (const [index, item] of items.entries()) {
    characters += JSON.stringify(item).length + 1
    if (characters > maxCharacters) return index
  }
  return items.length
}

/**
 * Shortens data to about `maxCharacters` of JSON: a list to its first items, anything else to the beginning
 * of its text.
 */
function boundData(data: unknown, maxCharacters: number): Bounded {
  const text = JSON.stringify(data) ?? 'null'
  if (text.length <= maxCharacters) return { data }
  const list = Array.isArray(data) ? data : (data as { list?: unknown } | null)?.list
  if (Array.isArray(list)) {
    const count = countFitting(list, maxCharacters)
    if (count > 0) {
      const items = list.slice(0, count)
      const rest = `${count} of ${list.length} items are shown`
      return Array.isArray(data)
        ? { data: items, hint: `The result is too large: ${rest}. Call a list operation with a filter` }
        : {
            data: { ...(data as object), list: items },
            hint: `The page is too large: ${rest}. Call again with pageSize ${count}, then with pageNumber 2, 3 and so on`,
          }
    }
  }
  return {
    data: { beginning: text.slice(0, maxCharacters) },
    hint: `The result has ${text.length} characters, of which the beginning is shown. Read a single record, or call with a filter or a smaller pageSize`,
  }
}

/** Creates the results of tools: bounded, and without secrets. */
export class ResultWriter {
  readonly #maxCharacters: number
  readonly #secrets: readonly string[]

  constructor(maxCharacters: number, secrets: readonly string[]) {
    this.#maxCharacters = maxCharacters
    this.#secrets = secrets
  }

  /** @param facts precede the data, such as the request id. */
  writeData(data: unknown, facts: object = {}): CallToolResult {
    const bounded = boundData(redactSecretFields(data), this.#maxCharacters)
    return this.#write({ ...facts, ...bounded })
  }

  writeError(error: unknown): CallToolResult {
    const { issues, detail, ...report } = toErrorReport(error)
    const message = report.message.slice(0, this.#maxCharacters)
    const bound = (part: unknown) =>
      part === undefined ? undefined : boundData(redactSecretFields(part), this.#maxCharacters).data
    const bounded = { ...report, message, detail: bound(detail), issues: bound(issues) }
    return { ...this.#write({ error: bounded }), isError: true }
  }

  #write(value: unknown): CallToolResult {
    let text = JSON.stringify(value)
    for (const secret of this.#secrets) text = text.replaceAll(secret, '***')
    return { content: [{ type: 'text', text }] }
  }
}
