/**
 * A key and its secret. Keep secrets out of browsers: sign on your own server, or use
 * {@link SigningCredentials}.
 */
export interface SecretCredentials {
  /** The key's id, such as `mk_…`. It is no secret. */
  apiKey: string
  /** The key's secret, such as `sk_…`. */
  secret: string
}

/** A key whose secret stays with a key service. */
export interface SigningCredentials {
  /** The key's id, such as `mk_…`. It is no secret. */
  apiKey: string
  /** Returns the HMAC-SHA256 of the text under the key's secret: 32 bytes. */
  sign(stringToSign: string): Uint8Array | Promise<Uint8Array>
}

export type GatewayCredentials = SecretCredentials | SigningCredentials

/** The facilitator's key, sent as `Authorization: Bearer <token>`. */
export interface BearerCredentials {
  /** The key. It is a secret. */
  token: string
}

export interface BrowserOptions {
  /**
   * Whether a secret or token is accepted in a page, where everybody who opens the page can read it. Default:
   * false. Instead, call from your server, or use a publishable key: `createBrowserGateway` of
   * `@mintmark/transport/browser`. Bundles that are built with the condition `production` do not check it.
   */
  dangerouslyAllowBrowser?: boolean | undefined
}

/** Credentials, or a function that returns them. It is called for every attempt, so it may rotate them. */
export type CredentialsSource<C> = C | (() => C | Promise<C>)

export function resolveCredentials<C extends object>(source: CredentialsSource<C>): C | Promise<C> {
  return typeof source === 'function' ? source() : source
}
