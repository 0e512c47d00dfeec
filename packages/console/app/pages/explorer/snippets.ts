import type { OperationShape } from '@mintmark/operation'
import { quoteForShell } from '../../format/shell.ts'
import type { CatalogueEntry } from './catalogue.ts'

/** A call to write code for. */
export interface SnippetCall {
  readonly entry: CatalogueEntry
  readonly input: Readonly<Record<string, unknown>>
  /** The address of the server, such as `https://gateway.example`. */
  readonly baseUrl: string
}

/** Writes a program that makes the call with the client packages. */
export function writeTypeScript({ entry, input, baseUrl }: SnippetCall): string {
  const { operation, group, name, packageName } = entry
  const isEmpty = Object.keys(input).length === 0
  const call = `${group}.${name}(gateway${isEmpty ? '' : `, ${formatLiteral(input)}`})`
  const lines =
    operation.result === 'event-stream'
      ? [`for await (const event of ${call}) console.log(event)`]
      : [`const result = await ${call}`, 'console.log(result)']
  return [
    `import { ${group} } from '${packageName}'`,
    `import { createGateway } from '@mintmark/transport'`,
    '',
    `const { MINTMARK_API_KEY = '', MINTMARK_SECRET = '' } = process.env`,
    'const gateway = createGateway({',
    `  baseUrl: ${formatLiteral(baseUrl)},`,
    '  credentials: { apiKey: MINTMARK_API_KEY, secret: MINTMARK_SECRET },',
    '})',
    ...lines,
  ].join('\n')
}

/** Formats a value as JavaScript writes it in code. */
export function formatLiteral(value: unknown, indent = ''): string {
  const inner = `${indent}  `
  if (typeof value === 'string') return formatText(value)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((item) => `${inner}${formatLiteral(item, inner)},\n`).join('')}${indent}]`
  }
  if (value instanceof Object) {
    const fields = Object.entries(value).map(
      ([name, field]) => `${inner}${formatName(name)}: ${formatLiteral(field, inner)},\n`,
    )
    return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`
  }
  return JSON.stringify(value)
}

/** JSON escapes all that ends a text in code, except the quote. */
function formatText(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  return `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function formatName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : formatText(name)
}

/** The parts of a call as the signature covers them. */
/** Writes a shell script that signs the call by the documented scheme and sends it. */
export function writeShellScript({ entry: { operation }, input, baseUrl }: SnippetCall): string {
  const { path, query, body } = toSignedParts(operation, input)
  const hasBody = operation.body !== undefined
  const isStream = operation.result === 'event-stream'
  const headers = [
    '"X-Api-Key: $MINTMARK_API_KEY"',
    '"X-Timestamp: $timestamp"',
    '"X-Signature: $signature"',
    ...(hasBody ? ["'Content-Type: application/json'"] : []),
    ...(isStream ? ["'Accept: text/event-stream'"] : []),
  ]
  const command = [
    `curl ${isStream ? '--no-buffer ' : ''}--request ${operation.method} "$base$path${query === '' ? '' : '?$query'}"`,
    ...headers.map((header) => `  --header ${header}`),
    ...(hasBody ? ['  --data-binary "$body"'] : []),
  ]
  return [
    `base=${quoteForShell(baseUrl)}`,
    `path=${quoteForShell(path)}`,
    `query=${quoteForShell(query)}`,
    `body=${quoteForShell(body)}`,
    'timestamp=$(date +%s)000',
    `hash=$(printf '%s' "$body" | openssl dgst -sha256 -r | cut -d' ' -f1)`,
    `signature=$(printf 'v1\\n%s\\n${operation.method}\\n%s\\n%s\\n%s' "$timestamp" "$path" "$query" "$hash" |`,
    `  openssl dgst -sha256 -hmac "$MINTMARK_SECRET" -r | cut -d' ' -f1)`,
    command.join(' \\\n'),
  ].join('\n')
}

/**
 * Distributes an input over path, query and body, as the client does. The query is sent in the order in which
 * it is signed.
 */
export function toSignedParts(
  { path, params, query, body }: OperationShape,
  input: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly query: string; readonly body: string } {
  const pairs = Object.keys(query ?? {}).flatMap((name) =>
    [input[name]]
      .flat()
      .filter((value) => value !== undefined)
      // A line feed sorts before all encoded text: pairs are sorted by name, then by value.
      .map((value) => `${name}\n${encodeRfc3986(value)}`),
  )
  const inAddress = new Set(Object.keys({ ...params, ...query }))
  const fields = Object.fromEntries(Object.entries(input).filter(([name]) => !inAddress.has(name)))
  return {
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeRfc3986(input[name] ?? '')),
    query: pairs.toSorted().join('&').replaceAll('\n', '='),
    body: body === undefined ? '' : formatJson(fields),
  }
}

/**
 * Percent-encodes a value by RFC 3986, including `!'()*`, which `encodeURIComponent` leaves as they are. A
 * lone surrogate, which has no UTF-8, becomes U+FFFD: the code is also shown while an input is incomplete.
 */
function encodeRfc3986(value: unknown): string {
  return encodeURIComponent(String(value).replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Writes the command that makes the call. Values that a flag cannot have are passed as JSON. */
export function writeCommand({ entry, input }: SnippetCall): string {
  const { params, query, body } = entry.operation
  const names = new Set(Object.keys({ ...params, ...query, ...body }))
  const fields = Object.entries(input).filter(([, value]) => value !== undefined)
  const isFlag = ([name, value]: readonly [string, unknown]) => names.has(name) && hasFlag(value)
  const words = fields.filter(isFlag).flatMap(([name, value]) => {
    const flag = `--${toKebabCase(name)}`
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
      return value.map((item) => `${flag} ${quoteForShell(item)}`)
    }
    return [`${flag} ${quoteForShell(value instanceof Object ? formatJson(value) : String(value))}`]
  })
  const rest = Object.fromEntries(fields.filter((field) => !isFlag(field)))
  const hasRest = Object.keys(rest).length > 0
  if (hasRest) words.push('--input -')
  const command = `mintmark ${toKebabCase(entry.group)} ${toKebabCase(entry.name)}`
  const call = [command, ...words].join(words.length > 1 ? ' \\\n  ' : ' ')
  return hasRest ? `printf '%s' ${quoteForShell(formatJson(rest))} | ${call}` : call
}

/** Whether a flag of the command line can have a value. A list is a flag for each of its texts. */
function hasFlag(value: unknown): boolean {
  if (typeof value === 'string') return !NOT_PASTED.test(value)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.length > 0 && value.every(hasFlag)
  }
  return value !== null
}

/**
 * Control characters, which a terminal may take for keys when they are pasted, such as Ctrl-C; and lone
 * surrogates, which cannot be copied.
 */
const NOT_PASTED = /(?!\n)[\p{Control}\p{Surrogate}]/u

/** Formats a value as JSON in which control characters are escaped. */
function formatJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\x7f-\x9f]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Converts a name to the form of the command line: `promoCodeCards` to `promo-code-cards`. */
function toKebabCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}
