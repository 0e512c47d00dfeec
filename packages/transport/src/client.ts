import { MintmarkError } from '@mintmark/envelope'
import { type Client, checkInput, type Service } from '@mintmark/operation'
import { notify } from './notify.ts'
import type { ClientOptions } from './options.ts'
import { wireRequest } from './request.ts'
import { send } from './send.ts'
import type { ServiceAdapter } from './service-adapter.ts'

/** Creates a client of either service. */
export function createClient<S extends Service>(
  kind: S,
  client: ClientOptions,
  adapter: ServiceAdapter,
): Client<S> {
  // `test` converts an unset variable and a URL to text.
  if (!/^https?:/i.test(client.baseUrl as string)) {
    throw new TypeError('baseUrl is not http')
  }
  const { origin, pathname } = new URL(client.baseUrl)
  const prefix = pathname.replace(/\/$/, '')
  const { now = Date.now } = client

  return {
    kind,
    async call(operation, input = {}, options = {}) {
      const { id, service } = operation
      if (service !== kind) throw new TypeError(`${id} belongs to the ${service}`)
      const started = now()
      try {
        checkInput(operation, input)
        const route = client.routes?.find((route) => route.id === id)
        const routed = route ? { ...operation, ...route } : operation
        return await send(routed, wireRequest(routed, origin, prefix, input), adapter, client, options)
      } catch (error) {
        if (error instanceof MintmarkError)
          notify(client.hooks, 'onError', { operation: id, error, milliseconds: now() - started })
        throw error
      }
    },
  }
}
