import type { EnvironmentReader } from '../environment.ts'

/** Shorter parts of an address are words such as "rpc". */
const MIN_SECRET_LENGTH = 8

/** Settings that contain keys, tokens, passwords, or addresses with one of them. */
const SECRET_NAME = /KEY|SECRET|TOKEN|HEADERS|ENDPOINT|CHAINS|(?:DATABASE|SIGNER|FACILITATOR|SMTP)_URL/

/** Creates a function that removes the secrets in a server's settings from a text. */
export function createRedactor(env: EnvironmentReader, names: readonly string[]): (text: string) => string {
  const values = names.filter((name) => SECRET_NAME.test(name)).map((name) => attempt(() => env.text(name)))
  const longestFirst = [...new Set(values.flatMap(listSecrets))]
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .sort((one, other) => other.length - one.length)
  return (text) => longestFirst.reduce((result, secret) => result.replaceAll(secret, '***'), text)
}

/** Lists a value and its parts: keys in a list, strings in JSON, secrets in addresses. */
function listSecrets(value: string): readonly string[] {
  const words = value.split(/[\s,"]+/).map((word) => word.replace(/^[\w-]+[:=](?!\/\/)|^0x/, ''))
  return [value, ...value.split('"'), ...words, ...listAddressSecrets(value)].flatMap((each) => [
    each,
    attempt(() => decodeURIComponent(each)),
  ])
}

/** Lists the passwords of databases, and the parts of other addresses except for their hosts. */
function listAddressSecrets(value: string): readonly string[] {
  const passwords = value.matchAll(/:\/\/[^:@/?#\s]*:([^@/?#\s]*)@|[?&]\w*password=([^&#\s]*)/g)
  const urls = value.match(/https?:\/\/[^\s,"]+/g) ?? []
  return [
    ...[...passwords].flatMap(([, one = '', other = '']) => [one, other]),
    ...urls.flatMap((url) => url.split(/[/?&#=@:]/).filter((part) => part !== URL.parse(url)?.hostname)),
  ]
}

/** Decodes the part of an address, or reads a setting. What is malformed or unreadable is not printed either. */
function attempt(read: () => string | undefined): string {
  try {
    return read() ?? ''
  } catch {
    return ''
  }
}
