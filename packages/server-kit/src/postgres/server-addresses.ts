import { ConfigurationError } from '../environment.ts'
import { describeReason } from './errors.ts'

const DATABASE_URL = /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>(?:[^/?#]*@)?)(?<hosts>[^/?#]*)(?<rest>.*)$/

/** The values of libpq's parameter `target_session_attrs` that select a server which accepts writes. */
const WRITABLE_TARGETS: ReadonlySet<string> = new Set(['read-write', 'primary'])

/**
 * Lists the servers of a connection string as connection strings with one host each, because pg accepts only
 * one. As in libpq, hosts and ports are lists with commas, in front of the database's name or in the
 * parameters `host` and `port`.
 *
 * @param setting The setting that has the connection string, for messages.
 * @throws ConfigurationError, whose message does not repeat the connection string: it contains a password.
 */
export function listServerUrls(url: string, setting = 'DATABASE_URL'): readonly [string, ...string[]] {
  const { scheme, user, hosts, rest } = DATABASE_URL.exec(url)?.groups ?? {}
  if (scheme === undefined || user === undefined || hosts === undefined || rest === undefined)
    throw new ConfigurationError(`${setting}: expected postgres://user:password@host:port/database`)
  const [path = '', query = ''] = rest.split(/\?(.*)/s)
  const parameters = new URLSearchParams(query)
  checkTarget(parameters.getAll('target_session_attrs'), setting)
  const [first = '', ...others] = parameters.has('host')
    ? listParameterHosts(parameters, setting).map((each) => `${scheme}${user}${hosts}${path}?${each}`)
    : hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`)
  const urls = [first, ...others] as const
  const isList = others.length > 0
  if (isList && !parameters.has('host') && hosts.split(',').some((host) => /^(?::\d*)?$/.test(host)))
    throw new ConfigurationError(`${setting}: one of its hosts is empty`)
  // pg connects to a socket whose folder is a parameter although the host of the URL is empty.
  if (!urls.every((each) => URL.canParse(parameters.has('host') ? each.replace('@/', '@host/') : each)))
    throw new ConfigurationError(
      `${setting}: expected postgres://user:password@host:port/database, or several hosts as in postgres://user:password@host:port,host:port/database`,
    )
  return urls
}

/** Lists the parameters of each server of `host` and `port`. One port, or none, is that of all hosts. */
function listParameterHosts(parameters: URLSearchParams, setting: string): URLSearchParams[] {
  const hosts = parameters.get('host')?.split(',') ?? []
  const ports = parameters.get('port')?.split(',') ?? ['']
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new ConfigurationError(`${setting}: it has ${ports.length} ports for ${hosts.length} hosts`)
  if (hosts.length > 1 && hosts.includes(''))
    throw new ConfigurationError(`${setting}: one of its hosts is empty`)
  return hosts.map((host, at) => {
    const own = new URLSearchParams(parameters)
    own.set('host', host)
    const port = ports.length > 1 ? ports[at] : ports[0]
    if (port) own.set('port', port)
    return own
  })
}

function checkTarget(targets: readonly string[], setting: string): void {
  const refused = targets.find((target) => !WRITABLE_TARGETS.has(target))
  if (refused === undefined) return
  throw new ConfigurationError(
    `${setting}: target_session_attrs must be read-write or primary, because every server writes. Without it, they also use the first host that accepts writes`,
  )
}

/**
 * The servers of a connection string, of which one accepts writes. A connection is opened to the server that
 * worked last, and to the others in turn if that fails.
 */
export class ServerAddresses {
  readonly #urls: readonly [string, ...string[]]
  readonly #onUnusable = new Set<() => void>()
  #at = 0

  /**
   * Gets the servers of a connection string, which all connections of the process share.
   *
   * @throws ConfigurationError
   */
  static get(url: string): ServerAddresses {
    const addresses = shared.get(url) ?? new ServerAddresses(url)
    shared.set(url, addresses)
    return addresses
  }

  /** @throws ConfigurationError */
  constructor(url: string) {
    this.#urls = listServerUrls(url)
  }

  get count(): number {
    return this.#urls.length
  }

  /** The connection string of the server to try. */
  get current(): string {
    return this.#urls[this.#at] ?? this.#urls[0]
  }

  /**
   * Calls back when a connection reports that its server became read-only or does not respond. Others that are
   * open lead to the same server, and may wait for it without end: a commit waits for a standby that was
   * promoted, and a statement of a job has no time limit.
   *
   * @returns A function that ends the calls.
   */
  onUnusable(callback: () => void): () => void {
    this.#onUnusable.add(callback)
    return () => void this.#onUnusable.delete(callback)
  }

  reportUnusable(): void {
    for (const callback of this.#onUnusable) callback()
  }

  /**
   * Tries to connect, at most once per server. Each failure that is one of the server makes the next server
   * the current one.
   */
  async connect<Result>(
    attempt: (url: string) => Promise<Result>,
    isOfServer: (error: unknown) => boolean = () => true,
  ): Promise<Result> {
    const failures: unknown[] = []
    for (;;) {
      const url = this.current
      try {
        return await attempt(url)
      } catch (error) {
        failures.push(error)
        if (!isOfServer(error)) throw error
        // Another attempt may have moved on from this server at the same time.
        if (url === this.current) this.#at = (this.#at + 1) % this.count
        if (failures.length === this.count) throw summarize(failures)
      }
    }
  }
}

const shared = new Map<string, ServerAddresses>()

function summarize(failures: readonly unknown[]): unknown {
  if (failures.length === 1) return failures[0]
  const reasons = failures.map(describeReason)
  return new AggregateError(failures, `None of ${failures.length} hosts: ${reasons.join('; ')}`)
}
