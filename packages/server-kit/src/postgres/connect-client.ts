import pg from 'pg'
import { endsConnection, ReadOnlyDatabaseError } from './errors.ts'
import { ServerAddresses } from './server-addresses.ts'
import { type SessionSettings, setUpSession } from './session-settings.ts'

/**
 * How long a connection is used. Afterwards another one is opened, to the server that the address names then:
 * a server that was replaced behind its name may stay alive and accept what its connections send.
 */
export const MAX_LIFETIME_MS = 5 * 60_000

/**
 * Options of every connection. After ten seconds without data the operating system checks every second whether
 * the server's machine still exists, and gives up after ten attempts. By default it waits for two hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

export interface ClientOptions extends Omit<pg.ClientConfig, 'connectionString'> {
  readonly connectionTimeoutMillis: number
  readonly pipeline?: boolean
  /** Whether the server may be a standby. Default: it must accept writes. */
  readonly acceptsStandby?: boolean | undefined
}

/**
 * Connects to the server that accepts writes unless a standby is accepted, outside of a pool. The caller adds a listener of `error`: the
 * statement that runs fails with the same error.
 *
 * @param servers A connection string, or its servers.
 * @throws ReadOnlyDatabaseError, among others.
 */
export async function connectClient(
  servers: string | ServerAddresses,
  options: ClientOptions,
  settings: SessionSettings = {},
): Promise<pg.Client> {
  const addresses = typeof servers === 'string' ? ServerAddresses.get(servers) : servers
  const connectionTimeoutMillis = shareTimeout(options.connectionTimeoutMillis, addresses)
  return await addresses.connect(async (connectionString) => {
    const client = new pg.Client({ ...KEEP_ALIVE, ...options, connectionString, connectionTimeoutMillis })
    // An error of a connection without a listener ends the process.
    client.on('error', () => {})
    try {
      await client.connect()
      await setUpSession(client, settings, connectionTimeoutMillis, options.acceptsStandby)
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    return client
  })
}

/** Returns how long connecting to one of the servers may take, so that a caller waits no longer for several. */
const shareTimeout = (timeoutMs: number, { count }: ServerAddresses): number => Math.ceil(timeoutMs / count)

/**
 * Creates the class of a pool's connections, each of which is opened to the current server of the addresses.
 */
export function createClientClass(addresses: ServerAddresses): typeof pg.Client {
  return class extends pg.Client {
    constructor(config: pg.ClientConfig & Pick<ClientOptions, 'connectionTimeoutMillis'>) {
      const connectionTimeoutMillis = shareTimeout(config.connectionTimeoutMillis, addresses)
      super({ ...config, connectionString: addresses.current, connectionTimeoutMillis })
    }
  } as typeof pg.Client
}

/** Parameters that PostgreSQL reports with the next response when they change. */
const READ_ONLY_PARAMETERS: ReadonlySet<string> = new Set(['default_transaction_read_only', 'in_hot_standby'])

interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

/**
 * Calls back when the server of a connection refuses to write, becomes read-only or ends the connection, with
 * whatever statement that is noticed. Reports a server that became read-only to the other connections. The
 * events are those of pg's protocol, which its type declarations lack.
 */
export function watchServer(
  client: pg.Client,
  addresses: ServerAddresses,
  onUnusable: (reason: Error) => void,
): void {
  client.connection.on('errorMessage', (error: Error) => {
    if (endsConnection(error)) onUnusable(error)
  })
  client.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
    if (!READ_ONLY_PARAMETERS.has(parameterName) || parameterValue !== 'on') return
    onUnusable(new ReadOnlyDatabaseError())
    addresses.reportUnusable()
  })
}
