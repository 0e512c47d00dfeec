import { isMintmarkError } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import { type CallSettings, createClientFor } from './client.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Input } from './input.ts'

/** A request that was not sent. */
export interface PreparedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The JSON of the body; undefined without a body. */
  readonly body: unknown
}

/** Headers that authenticate a request. */
const SECRET_HEADERS = ['x-api-key', 'x-signature', 'x-timestamp', 'authorization']

function redactHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, SECRET_HEADERS.includes(name) ? '(redacted)' : value]),
  )
}

/** Prepares the request of a call as the client would send it, and sends nothing. */
export async function prepareRequest(
  operation: OperationShape,
  input: Input,
  options: CallSettings & { readonly idempotencyKey?: string | undefined },
  environment: CommandEnvironment,
): Promise<PreparedRequest> {
  let prepared: PreparedRequest | undefined
  async function fetch(url: string, init: RequestInit): Promise<Response> {
    const { body } = init
    const text = body === null || body === undefined ? '' : await new Response(body).text()
    prepared = {
      method: init.method ?? 'GET',
      url,
      headers: redactHeaders(new Headers(init.headers)),
      body: text === '' ? undefined : JSON.parse(text),
    }
    throw new Error('Not sent')
  }
  const { client } = await createClientFor(operation, options, { ...environment, fetch })
  try {
    await client.call(operation, input, { retries: 0, idempotencyKey: options.idempotencyKey })
  } catch (error) {
    if (prepared === undefined || !isMintmarkError(error)) throw error
  }
  if (prepared === undefined) throw new Error('The client prepared no request')
  return prepared
}

/** Writes a request as it goes over the wire, for people. */
export function formatRequest({ method, url, headers, body }: PreparedRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const content = body === undefined ? '' : `\n${JSON.stringify(body, null, 2)}\n`
  return `${method} ${url}\n${lines.join('\n')}\n${content}`
}
