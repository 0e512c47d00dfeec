import type { EnvironmentReader } from '../environment.ts'
import type { Finding } from './finding.ts'

/** Formats findings for a terminal: a line each, and below a problem what to do and the guide's section. */
export function formatFindings(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ level, area, message, action, docs }) => [
    `${level.padEnd(8)} ${area.padEnd(9)} ${message}`,
    ...(action === undefined ? [] : [`${' '.repeat(19)}Do: ${action}`]),
    ...(docs === undefined ? [] : [`${' '.repeat(19)}See: ${docs}`]),
  ])
  const count = (level: string) => findings.filter((finding) => finding.level === level).length
  const summary = `${formatCount(count('error'), 'error')}, ${formatCount(count('warning'), 'warning')}, ${count('ok')} ok`
  return [...lines, '', summary].join('\n')
}

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Shorter parts of an address are words such as "rpc". */
const MIN_SECRET_LENGTH = 8

/** Creates a function that removes the settings' secrets from a text. */
export function createRedactor(env: EnvironmentReader): (text: string) => string {
  const secrets = SECRET_SETTINGS.flatMap(({ name, list }) => {
    const value = readText(env, name)
    return value === undefined ? [] : [...list(value), value]
  })
  const longestFirst = [...new Set(secrets)]
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .sort((one, other) => other.length - one.length)
  return (text) => longestFirst.reduce((result, secret) => result.replaceAll(secret, '***'), text)
}

interface SecretSetting {
  readonly name: string
  /** Lists the secrets in the setting's value. */
  readonly list: (value: string) => readonly string[]
}

const SECRET_SETTINGS: readonly SecretSetting[] = [
  { name: 'DATABASE_URL', list: listUrlSecrets },
  {
    name: 'SECRET_KEYS',
    list: (value) => value.split(',').map((entry) => entry.replace(/^[^:]*:/, '').trim()),
  },
  {
    name: 'FACILITATOR_SIGNER_KEYS',
    list: (value) => value.split(/[\s,]+/).map((key) => key.replace(/^0x/, '')),
  },
  { name: 'REMOTE_SIGNER_KEY', list: () => [] },
  { name: 'REMOTE_SIGNER_URL', list: listUrlSecrets },
  { name: 'SOLANA_SIGNER_KEYS', list: (value) => value.split(/[\s,]+/) },
  { name: 'METRICS_TOKEN', list: () => [] },
  { name: 'UPSTREAM_FACILITATOR_HEADERS', list: (value) => value.split('"') },
  { name: 'UPSTREAM_FACILITATOR_URL', list: listUrlSecrets },
  { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', list: listUrlSecrets },
  { name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', list: listUrlSecrets },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    list: (value) => value.split(',').map((pair) => pair.replace(/^[^=]*=/, '')),
  },
  { name: 'CHAINS', list: (value) => (value.match(/https?:\/\/[^\s,"]+/g) ?? []).flatMap(listUrlSecrets) },
]

/** Lists the address, its password, the parts of its path and its parameters. */
function listUrlSecrets(text: string): readonly string[] {
  if (/^postgres/.test(text)) return listDatabaseSecrets(text)
  if (!URL.canParse(text)) return [text]
  const { username, password, pathname, searchParams } = new URL(text)
  const parts = [username, ...pathname.split('/'), ...searchParams.values()]
  return [text, password, decodeURIComponent(password), ...parts]
}

/**
 * Lists the password of a database, which a parameter can also contain. The URL may have several hosts, which
 * `URL` does not parse. The user's and the database's names are no secrets.
 */
function listDatabaseSecrets(text: string): readonly string[] {
  const [, password = ''] = /^\w+:\/\/[^:/?#]*:([^/?#]*)@/.exec(text) ?? []
  const [, parameter = ''] = /[?&]password=([^&#]*)/.exec(text) ?? []
  return [text, ...[password, parameter].flatMap((secret) => [secret, decode(secret)])]
}

/** Decodes a part of an address. One that is malformed is its own text. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readText(env: EnvironmentReader, name: string): string | undefined {
  try {
    return env.text(name)
  } catch {
    // A file that cannot be read contains nothing that could be printed.
    return undefined
  }
}
