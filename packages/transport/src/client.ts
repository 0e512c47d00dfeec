import { isMintmarkError } from '@mintmark/envelope'
import { dataOf } from './answer.ts'
import { checkInput } from './input.ts'
import { notify } from './notify.ts'
import type { Client } from './operation.ts'
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
  const { now = Date.now } = client

  return {
    kind,
    async call(operation, input, options = {}) {
      const { id, door } = operation
      if (door !== kind) throw new TypeError(`${id} is an operation of the ${door}`)
      const started = now()
      try {
        checkInput(operation, input ?? {})
        const routed = { ...operation, ...client.routes?.find((route) => route.id === id) }
        const answer = await send(routed, wireRequest(routed, baseUrl, input), wire, client, options)
        const { status, headers, requestId } = answer
        return { data: dataOf(routed, answer, wire, client), status, headers, requestId }
      } catch (error) {
        if (isMintmarkError(error)) {
          const milliseconds = now() - started
          notify(() => client.hooks?.onError?.({ operation: id, error, milliseconds }))
        }
        throw error
      }
    },
  }
}
