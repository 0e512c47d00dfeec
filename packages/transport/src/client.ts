import { isMintmarkError, type MintmarkError } from '@mintmark/envelope'
import { dataOf } from './answer.ts'
import { checkInput } from './input.ts'
import { notify } from './notify.ts'
import type { CallOptions, CallResult, Client, OperationShape } from './operation.ts'
import type { ClientOptions } from './options.ts'
import { wireRequest } from './request.ts'
import { send, type Wire } from './send.ts'

/** What both clients share: input, address, attempts, answer. */
export function createClient<Door extends 'gateway' | 'facilitator'>(
  kind: Door,
  client: ClientOptions,
  wire: Wire,
): Client<Door> {
  const baseUrl = new URL(client.baseUrl)
  if (!/^https?:$/.test(baseUrl.protocol)) throw new TypeError('baseUrl is not http')
  const now = client.now ?? Date.now

  async function call(operation: OperationShape, input: unknown, options: CallOptions): Promise<CallResult> {
    checkInput(operation, input ?? {})
    const route = client.routes?.find(({ id }) => id === operation.id)
    const request = wireRequest(operation, route?.path ?? operation.path, baseUrl, input)
    if (route?.method) request.method = route.method
    const answer = await send(operation, request, wire, client, options)
    const { status, headers, requestId } = answer
    return { data: dataOf(operation, answer, wire, client), status, headers, requestId }
  }

  return {
    kind,
    async call(operation, input, options = {}) {
      if (operation.door !== kind)
        throw new TypeError(`${operation.id} is an operation of the ${operation.door}`)
      const started = now()
      try {
        return await call(operation, input, options)
      } catch (error) {
        if (isMintmarkError(error)) {
          const event = {
            operation: operation.id,
            error: error as MintmarkError,
            milliseconds: now() - started,
          }
          notify(() => client.hooks?.onError?.(event))
        }
        throw error
      }
    },
  }
}
