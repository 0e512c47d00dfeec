import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { type Hex, hexToBigInt, hexToNumber, type TransactionSerializableEIP1559 } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { hex } from '../../../engine/testing.ts'
import type { RemoteSignerOptions } from './remote-signer.ts'

/** What a client sends to be signed. */
export interface SigningRequest {
  readonly from: string
  readonly to: Hex
  readonly data: Hex
  readonly value: Hex
  readonly nonce: Hex
  readonly gas: Hex
  readonly maxFeePerGas: Hex
  readonly maxPriorityFeePerGas: Hex
  readonly chainId: Hex
}

/** Returns the body of the response, or undefined to never respond. */
export type Respond = (request: SigningRequest) => Promise<string | undefined>

/** A key service on the loopback interface with mutual authentication. */
export interface TestKeyService {
  readonly options: Omit<RemoteSignerOptions, 'addresses'>
  /** How it responds to `eth_signTransaction`. */
  respond: Respond
  /** Signs as it should. */
  sign(request: SigningRequest): Promise<Hex>
  readonly requests: SigningRequest[]
  close(): void
}

const createCertificate = (commonName: string) =>
  generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })

export const toResponse = (result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: 1, result })

/** Reads the transaction that a client sent. */
export const toTransaction = (request: SigningRequest): TransactionSerializableEIP1559 => ({
  type: 'eip1559',
  chainId: hexToNumber(request.chainId),
  nonce: hexToNumber(request.nonce),
  to: request.to,
  data: request.data,
  value: hexToBigInt(request.value),
  gas: hexToBigInt(request.gas),
  maxFeePerGas: hexToBigInt(request.maxFeePerGas),
  maxPriorityFeePerGas: hexToBigInt(request.maxPriorityFeePerGas),
})

/** Starts a key service for private keys. It accepts clients with the certificate of its `options` only. */
export async function startKeyService(keys: readonly string[]): Promise<TestKeyService> {
  const accounts = new Map(
    keys.map((key): [string, PrivateKeyAccount] => {
      const account = privateKeyToAccount(hex(key))
      return [account.address.toLowerCase(), account]
    }),
  )
  const [own, client] = await Promise.all([
    createCertificate('key service'),
    createCertificate('facilitator'),
  ])
  const requests: SigningRequest[] = []
  const server: Server = createServer(
    { key: own.private, cert: own.cert, ca: client.cert, requestCert: true, rejectUnauthorized: true },
    async (request, response) => {
      let text = ''
      for await (const chunk of request) text += String(chunk)
      const { method, params } = JSON.parse(text)
      response.setHeader('content-type', 'application/json')
      if (method === 'eth_accounts') return void response.end(toResponse([...accounts.keys()]))
      requests.push(params[0])
      const body = await service.respond(params[0])
      if (body !== undefined) response.end(body)
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The server listens on a TCP port, so its address is an object.
  const { port } = server.address() as AddressInfo
  const service: TestKeyService = {
    options: {
      url: new URL(`https://127.0.0.1:${port}`),
      timeoutMilliseconds: 5_000,
      tls: { certificate: client.cert, key: client.private, ca: own.cert },
    },
    respond: async (request) => toResponse(await service.sign(request)),
    async sign(request) {
      const account = accounts.get(request.from)
      if (account === undefined) throw new Error(`There is no key of ${request.from}`)
      return account.signTransaction(toTransaction(request))
    },
    requests,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return service
}
