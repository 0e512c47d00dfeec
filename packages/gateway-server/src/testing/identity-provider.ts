import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OidcSettings } from '../domains/people/people-auth.ts'

/** Who signs in at the provider. */
export interface ProviderPerson {
  readonly sub: string
  readonly email: string
  readonly isVerified?: boolean
}

const CLIENT = { clientId: 'mintmark', clientSecret: 'a-secret-of-the-client' }
const KEY_ID = 'k1'
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A small OpenID provider on loopback, which checks PKCE and the client's secret, and signs its tokens. */
export class TestIdentityProvider {
  #server: Server
  #keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  /** Signs the tokens. A test can replace it by a key that the provider does not publish. */
  signingKey: KeyObject = this.#keys.privateKey
  /** Whether the provider responds to nothing but 500. */
  isBroken = false
  #codes = new Map<string, { request: URLSearchParams; person: ProviderPerson }>()

  constructor() {
    this.#server = createServer((request, response) => void this.#respond(request, response))
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get settings(): OidcSettings {
    return { name: 'Example ID', discoveryUrl: `${this.url}/.well-known/openid-configuration`, ...CLIENT }
  }

  /**
   * Signs a person in for an address to which the gateway sent the browser. Returns the query with which the
   * provider sends it back.
   */
  authorize(address: string, person: ProviderPerson): URLSearchParams {
    const request = new URL(address).searchParams
    const code = randomUUID()
    this.#codes.set(code, { request, person })
    return new URLSearchParams({ code, state: request.get('state') ?? '' })
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = this.isBroken ? undefined : await this.#createBody(request)
    response.writeHead(body === undefined ? 500 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? { error: 'invalid_request' }))
  }

  async #createBody(request: IncomingMessage): Promise<object | undefined> {
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return {
          issuer: this.url,
          authorization_endpoint: `${this.url}/authorize`,
          token_endpoint: `${this.url}/token`,
          jwks_uri: `${this.url}/jwks`,
          id_token_signing_alg_values_supported: ['RS256'],
        }
      case '/jwks':
        return { keys: [{ ...this.#keys.publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256' }] }
      case '/token': {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        return this.#redeem(new URLSearchParams(Buffer.concat(chunks).toString()))
      }
    }
  }

  #redeem(body: URLSearchParams): object | undefined {
    const issued = this.#codes.get(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const isClient = body.get('client_secret') === CLIENT.clientSecret
    if (issued === undefined || !isClient || issued.request.get('code_challenge') !== challenge)
      return undefined
    this.#codes.delete(body.get('code') ?? '')
    const { request, person } = issued
    return {
      access_token: `access-token-of-${person.sub}`,
      refresh_token: `refresh-token-of-${person.sub}`,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: this.#signToken({
        iss: this.url,
        aud: CLIENT.clientId,
        sub: person.sub,
        name: person.sub,
        email: person.email,
        email_verified: person.isVerified ?? true,
        nonce: request.get('nonce'),
        iat: Math.floor(Date.now() / 1000),
        exp: Math.floor(Date.now() / 1000) + 300,
      }),
    }
  }

  #signToken(claims: object): string {
    const content = `${encode({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' })}.${encode(claims)}`
    return `${content}.${sign('sha256', Buffer.from(content), this.signingKey).toString('base64url')}`
  }
}
