import { ConfigurationError } from '@mintmark/server-kit'

/** The facilitator that operators of this server also operate. */
export interface FacilitatorSettings {
  /** Its address, without a slash at the end. */
  readonly url: string
  /** Its OPERATOR_TOKEN. */
  readonly token: string
}

/** Printable characters without spaces: what the facilitator accepts as OPERATOR_TOKEN. */
const TOKEN = /^[\x21-\x7e]{32,512}$/

/** Checks the connected facilitator: both FACILITATOR_URL and FACILITATOR_OPERATOR_TOKEN, or none. */
export function toFacilitatorSettings(
  url: URL | undefined,
  token: string | undefined,
): FacilitatorSettings | undefined {
  if (url === undefined && token === undefined) return undefined
  if (url === undefined)
    throw new ConfigurationError(
      'FACILITATOR_URL: expected a value, because FACILITATOR_OPERATOR_TOKEN is set',
    )
  if (token === undefined)
    throw new ConfigurationError(
      'FACILITATOR_OPERATOR_TOKEN: expected a value, because FACILITATOR_URL is set',
    )
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new ConfigurationError(
      'FACILITATOR_URL: expected an address without credentials, query and fragment',
    )
  if (!TOKEN.test(token))
    throw new ConfigurationError(
      'FACILITATOR_OPERATOR_TOKEN: expected the OPERATOR_TOKEN of the facilitator, at least 32 printable characters without spaces',
    )
  return { url: url.href.replace(/\/+$/, ''), token }
}
