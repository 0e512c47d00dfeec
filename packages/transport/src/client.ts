import { MintmarkError } from '@mintmark/envelope'
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
  // Also what is no text at all: a variable that is not set. `test` makes a text of it, and of a URL.
  if (!/^https?:/i.test(client.baseUrl as string)) throw new TypeError('baseUrl is not http')
  const { origin, pathname } = new URL(client.baseUrl)
  const base = origin + pathname.replace(/\/$/, '')
  const { now = Date.now } = client

  return {
    kind,
    async call(operation, input = {}, options = {}) {
      const { id, door } = operation
      if (door !== kind) throw new TypeError(`${id} belongs to the ${door}`)
      const started = now()
      try {
        checkInput(operation, input)
        const route = client.routes?.find((route) => route.id === id)
        const routed = route ? { ...operation, ...route } : operation
        return await send(routed, wireRequest(routed, base, input), wire, client, options)
      } catch (error) {
        if (error instanceof MintmarkError)
          notify(client.hooks, 'onError', { operation: id, error, milliseconds: now() - started })
        throw error
      }
    },
  }
}
