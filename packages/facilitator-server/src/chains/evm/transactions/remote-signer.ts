import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import {
  type Hex,
  numberToHex,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from 'viem'
import { hashDigits } from '../signatures/keccak.ts'
import { recover } from '../signatures/recovery.ts'
import type { SettlementSigner } from './signers.ts'

/** A key service, which signs with keys that never leave it. */
export interface RemoteSignerOptions {
  /** The address of its JSON-RPC interface. */
  readonly url: URL
  /** The addresses of the keys to sign with. */
  readonly addresses: readonly string[]
  readonly timeoutMilliseconds: number
  /** What authenticates both sides. PEM. */
  readonly tls?: { readonly certificate?: string; readonly key?: string; readonly ca?: string }
}

/** The key service did not sign. Nothing was signed that could be broadcast. */
export class RemoteSignerError extends Error {
  override readonly name = 'RemoteSignerError'
}

/** A signed transaction has some thousand bytes. */
const MAX_RESPONSE_BYTES = 1 << 18
/** As many as settlements are signed at once. */
const MAX_CONNECTIONS = 16

/**
 * Creates signers whose keys are in a key service with Ethereum's JSON-RPC interface (`eth_signTransaction`),
 * such as Web3Signer. The service is not trusted: only its signature is used, and only if it is the signer's
 * for exactly the transaction that was sent.
 */
export function createRemoteSigners(options: RemoteSignerOptions): SettlementSigner[] {
  const service = createKeyService(options)
  return options.addresses.map((each) => {
    const address = each.toLowerCase()
    return {
      address,
      async sign(transaction) {
        const result = await service.call('eth_signTransaction', [toRpcTransaction(address, transaction)])
        const signed = readSigned(result, transaction)
        const digest = Buffer.from(hashDigits(serializeTransaction(transaction).slice(2)), 'hex')
        if ((await recover(digest, signed.signature)) !== address)
          throw new RemoteSignerError(
            `The key service returned a signature for another transaction, or not of ${address}`,
          )
        return signed.raw
      },
    }
  })
}

/** Lists the addresses for which the key service signs, lower-case. @throws RemoteSignerError */
export async function listRemoteAddresses(
  options: Omit<RemoteSignerOptions, 'addresses'>,
): Promise<string[]> {
  const result = await createKeyService(options).call('eth_accounts', [])
  if (!Array.isArray(result)) throw new RemoteSignerError('The key service returned no list of addresses')
  return result.map((address) => String(address).toLowerCase())
}

const toRpcTransaction = (from: string, transaction: TransactionSerializableEIP1559) => ({
  from,
  to: transaction.to,
  data: transaction.data,
  value: numberToHex(transaction.value ?? 0n),
  nonce: numberToHex(transaction.nonce ?? 0),
  gas: numberToHex(transaction.gas ?? 0n),
  maxFeePerGas: numberToHex(transaction.maxFeePerGas ?? 0n),
  maxPriorityFeePerGas: numberToHex(transaction.maxPriorityFeePerGas ?? 0n),
  chainId: numberToHex(transaction.chainId),
})

interface Signed {
  /** Our transaction with the service's signature. */
  readonly raw: Hex
  /** 65 bytes. */
  readonly signature: string
}

/** Takes the signature from what the service returned: the signed bytes, alone or as `raw`. */
function readSigned(result: unknown, transaction: TransactionSerializableEIP1559): Signed {
  const raw = typeof result === 'object' && result !== null && 'raw' in result ? result.raw : result
  const parsed = isType2(raw) ? parseSigned(raw) : undefined
  if (parsed?.r === undefined || parsed.s === undefined || parsed.yParity === undefined)
    throw new RemoteSignerError('The key service returned no signed transaction of type 2')
  const { r, s, yParity } = parsed
  const words = [r, s].map((word) => word.slice(2).padStart(64, '0')).join('')
  return {
    raw: serializeTransaction(transaction, { r, s, yParity }),
    signature: `0x${words}${yParity === 0 ? '1b' : '1c'}`,
  }
}

const isType2 = (raw: unknown): raw is `0x02${string}` =>
  typeof raw === 'string' && /^0x02[0-9a-f]*$/i.test(raw)

function parseSigned(raw: `0x02${string}`) {
  try {
    return parseTransaction(raw)
  } catch {
    // The service may return any bytes.
    return undefined
  }
}

interface KeyService {
  /** Calls a method. @throws RemoteSignerError */
  call(method: string, params: readonly unknown[]): Promise<unknown>
}

function createKeyService({
  url,
  timeoutMilliseconds,
  tls,
}: Omit<RemoteSignerOptions, 'addresses'>): KeyService {
  const limits = { keepAlive: true, maxSockets: MAX_CONNECTIONS }
  const isSecure = url.protocol === 'https:'
  const { certificate: cert, key, ca } = tls ?? {}
  const agent = isSecure
    ? new HttpsAgent({
        ...limits,
        minVersion: 'TLSv1.2',
        ...(cert !== undefined && { cert }),
        ...(key !== undefined && { key }),
        ...(ca !== undefined && { ca }),
      })
    : new HttpAgent(limits)
  const send = isSecure ? httpsRequest : httpRequest

  const post = (body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const fail = (error: Error) => reject(error)
      const request = send(
        url,
        {
          method: 'POST',
          agent,
          signal: AbortSignal.timeout(timeoutMilliseconds),
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            ...(url.username !== '' && {
              authorization: `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`,
            }),
          },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('error', fail)
          response.on('data', (chunk: string) => {
            text += chunk
            if (text.length > MAX_RESPONSE_BYTES)
              response.destroy(new RemoteSignerError('Its response is too long'))
          })
          response.on('end', () => {
            if (response.statusCode === 200) resolve(text)
            else fail(new RemoteSignerError(`It responded with status ${response.statusCode}`))
          })
        },
      )
      request.on('error', fail)
      request.end(body)
    })

  return {
    async call(method, params) {
      let text: string
      try {
        text = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
      } catch (error) {
        throw new RemoteSignerError(
          `The key service did not respond to ${method}: ${describe(error, timeoutMilliseconds)}`,
        )
      }
      return readResult(method, text)
    },
  }
}

/** Describes why there was no response, without the service's address, which may contain a password. */
function describe(error: unknown, timeoutMilliseconds: number): string {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `no response in ${timeoutMilliseconds} ms`
  return error instanceof RemoteSignerError
    ? error.message
    : 'code' in error
      ? String(error.code)
      : error.name
}

function readResult(method: string, text: string): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new RemoteSignerError(`The key service responded to ${method} with no JSON`, { cause: error })
  }
  if (typeof body !== 'object' || body === null || !('result' in body) || body.result === null) {
    const message =
      typeof body === 'object' && body !== null && 'error' in body
        ? JSON.stringify(body.error).slice(0, 300)
        : 'no result'
    throw new RemoteSignerError(`The key service refused ${method}: ${message}`)
  }
  return body.result
}
