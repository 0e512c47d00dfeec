import { ConfigurationError, requireValue } from '@mintmark/core-auth'
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
  const { baseUrl, now = Date.now } = client
  // `test` converts a URL to text. Without the slashes, `localhost:4000` is a URL with the scheme `localhost`.
  if (baseUrl && !/^https?:\/\/[^/]/i.test(baseUrl as string))
    throw new ConfigurationError('baseUrl', 'must start with http')

  return {
    kind,
    async call(operation, input = {}, options = {}) {
      const { id, service } = operation
      if (service !== kind) throw new TypeError(`${id} belongs to the ${service}`)
      requireValue('baseUrl', baseUrl)
      const { origin, pathname } = new URL(baseUrl)
      const prefix = pathname.replace(/\/$/, '')
      const started = now()
      try {
        checkInput(operation, input)
        const route = client.routes?.find((each) => each.id === id)
        // Copying an operation would cost as much as signing the call.
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
