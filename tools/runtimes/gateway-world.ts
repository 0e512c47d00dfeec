import { createKey, gatewaySchema, startGateway, type Tables } from '@mintmark/gateway-server'
import {
  createLog,
  createSealer,
  environment,
  migrate,
  newSecretKey,
  openDatabase,
} from '@mintmark/server-kit'
import { testDatabase } from '@mintmark/server-kit/testing'

/** A gateway as `serve` runs it, on a database of its own, with a look behind its back. */
export interface GatewayWorld {
  readonly url: string
  /** A key of a new project, whose wallet creates cards. */
  newKey(project: string, wallet: string): Promise<{ projectId: number; apiKey: string; secret: string }>
  /** The ids of a project's promo code cards of a name. */
  promoCodeCards(project: number, name: string): Promise<number[]>
  /** The request id of the last call of an operation that was answered with a status, as the gateway logged it. */
  requestIdOf(operation: string, status: number): string
  close(): Promise<void>
}

/** Starts it, with settings besides those that it cannot do without. */
export async function startGatewayWorld(env: Record<string, string>): Promise<GatewayWorld> {
  const place = await testDatabase()
  const stops: (() => Promise<unknown>)[] = [() => place.drop()]
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    await migrate(place.url, gatewaySchema)
    const secretKeys = newSecretKey('runtimes')
    const database = openDatabase<Tables>({ url: place.url, max: 2 })
    stops.push(() => database.close())
    const lines: string[] = []
    const server = await startGateway(
      environment({
        ...{ DATABASE_URL: place.url, SECRET_KEYS: secretKeys, GATEWAY_PORT: '0' },
        ...{ RATE_LIMIT_PER_SECOND: '1000', RATE_LIMIT_BURST: '2000' },
        ...env,
      }),
      createLog('gateway', 'info', { write: (line: string) => void lines.push(line) }),
    )
    stops.push(() => server.close())
    const sealer = createSealer(secretKeys)
    return {
      url: server.url,
      newKey: (project, wallet) => createKey(database.system, sealer, { project, name: project, wallet }),
      async promoCodeCards(project, name) {
        const cards = await database.system
          .selectFrom('gateway.cards')
          .select('id')
          .where('project_id', '=', project)
          .where('program', '=', 'promo_code')
          .where('name', '=', name)
          .execute()
        return cards.map(({ id }) => id)
      },
      requestIdOf(operation, status) {
        const calls: { operation?: string; status?: number; requestId: string }[] = lines.map((line) =>
          JSON.parse(line),
        )
        const found = calls.findLast((call) => call.operation === operation && call.status === status)
        return found?.requestId ?? 'none'
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
