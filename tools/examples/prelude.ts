// What the documents' examples take as given, as globals; and a note of each operation that they call.
import { writeFileSync } from 'node:fs'
import { createGateway } from '@mintmark/transport'
import type { GatewayClient } from '@mintmark/transport/operation'

const { baseUrl, apiKey, secret, calledFile, ...others } = JSON.parse(process.env.EXAMPLES_GIVEN ?? '{}')
const client = createGateway({ baseUrl, credentials: { apiKey, secret } })
const called = new Set<string>()
const gateway: GatewayClient = {
  kind: 'gateway',
  call(operation, input, options) {
    called.add(operation.id)
    return client.call(operation, input, options)
  },
}
Object.assign(globalThis, { gateway, baseUrl, apiKey, secret, ...others })
process.on('exit', () => writeFileSync(calledFile, JSON.stringify([...called])))
