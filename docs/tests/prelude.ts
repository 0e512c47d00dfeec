// Defines the globals of the documents' examples, and records each operation that they call.
import { writeFileSync } from 'node:fs'
import type { Client, Service } from '@mintmark/operation'
import { createFacilitator, createGateway } from '@mintmark/transport'
import { privateKeyToAccount } from 'viem/accounts'

const { calledFile, walletKey, customerKey, operatorToken, ...others } = JSON.parse(
  process.env.EXAMPLES_GIVEN ?? '{}',
)
const { baseUrl, apiKey, secret, facilitatorUrl, token } = others
const called = new Set<string>()

function recordCalls<S extends Service>(client: Client<S>): Client<S> {
  return {
    kind: client.kind,
    call(operation, input, options) {
      called.add(operation.id)
      return client.call(operation, input, options)
    },
  }
}

Object.assign(globalThis, {
  gateway: recordCalls(createGateway({ baseUrl, credentials: { apiKey, secret } })),
  facilitator: recordCalls(createFacilitator({ baseUrl: facilitatorUrl, credentials: { token } })),
  operator: recordCalls(
    createFacilitator({ baseUrl: facilitatorUrl, credentials: { token: operatorToken } }),
  ),
  wallet: privateKeyToAccount(walletKey),
  customer: privateKeyToAccount(customerKey),
  ...others,
})
process.on('exit', () => writeFileSync(calledFile, JSON.stringify([...called])))
