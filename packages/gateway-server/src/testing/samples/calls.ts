import type { Schema } from '@mintmark/envelope'
import type { GatewayClient, OperationShape } from '@mintmark/operation'
import { createGateway } from '@mintmark/transport'
import * as v from 'valibot'
import { TEST_URL, type TestGateway, type TestKey } from '../gateway.ts'
import type { RawRequest } from '../raw-client.ts'
import type { SampleProject } from './sample.ts'

/** The real client with a key, calling the gateway in this process. */
export function clientOf(gateway: TestGateway, key: TestKey): GatewayClient {
  return createGateway({
    baseUrl: TEST_URL,
    credentials: { apiKey: key.apiKey, secret: key.secret },
    retries: 0,
    fetch: async (input, init) => await gateway.app.fetch(new Request(input, init)),
  })
}

/** A new project with a key of every scope. */
export async function sampleProject(gateway: TestGateway, name: string): Promise<SampleProject> {
  const key = await gateway.newKey({ project: name })
  return { gateway, projectId: key.projectId, key, client: clientOf(gateway, key) }
}

export type Input = Record<string, unknown>

/** An operation's call with an input, by its parts: what goes into the path, the query and the body. */
export function rawCallOf(operation: OperationShape, input: Input): RawRequest & { method: string } {
  const { method, params = {}, query = {}, body } = operation
  const path = Object.keys(params).reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(String(input[name]))),
    operation.path,
  )
  const search = new URLSearchParams()
  for (const name of Object.keys(query)) {
    const value = input[name]
    for (const each of Array.isArray(value) ? value : value === undefined ? [] : [value]) {
      search.append(name, String(each))
    }
  }
  const sent = body && Object.fromEntries(Object.entries(input).filter(([name]) => name in body))
  return { method, path, query: search.toString(), ...(sent && { body: sent }) }
}

export function isRequired(schema: Schema<unknown>): boolean {
  return !v.is(schema, undefined)
}

const strange = [
  null,
  true,
  'a',
  '',
  1,
  -1,
  1.5,
  [],
  {},
  ['a'],
  [1],
  [null],
  '\u0000',
  '2026-13-01T00:00:00Z',
]

/** Values that a field's schema does not take. */
export function wrongValuesOf(schema: Schema<unknown>): unknown[] {
  return strange.filter((value) => !v.is(schema, value) && value !== '\u0000')
}

/** Texts that a query's field is not, read by its type. */
export function wrongTextsOf(schema: Schema<unknown>): string[] {
  const takesText = v.is(schema, 'x') || v.is(schema, `0x${'1'.repeat(40)}`)
  if (takesText) return v.is(schema, '') ? [] : ['']
  return ['abc', '', '1e3', '0x1', ...(v.is(schema, -1) ? [] : ['-1']), ...(v.is(schema, 1.5) ? [] : ['1.5'])]
}
