import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { promoCodeCards } from '@mintmark/cards'
import { eventWebhooks, type GatewayEvent } from '@mintmark/events'
import type { GatewayClient } from '@mintmark/transport'
import { summarize, toFigure } from './figures.ts'
import { createProjectClient, startStorage } from './gateway-environment.ts'
import { startServer } from './processes.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { percentile } from './statistics.ts'

const PROJECTS = 10
const GOOD_PER_PROJECT = 4
const SLOW_MS = 10_000
/** The discard port, where nothing listens. */
const DEAD_URL = 'http://127.0.0.1:9/dead'
/** Low enough that the machine is not saturated, which would hide what receivers cause. */
const EVENT_INTERVAL_MS = 1000

/** Receives messages, and measures how long after the response to the change each arrived. */
class Receiver {
  readonly #changedAt = new Map<string, number>()
  readonly #early: { subject: string; at: number }[] = []
  #latencies: number[] = []

  /** Starts to listen. Returns the URL. Messages to `/slow` get their response late, and are not measured. */
  async listen(stops: AsyncDisposableStack): Promise<string> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      if (request.url === '/slow') {
        setTimeout(() => response.writeHead(204).end(), SLOW_MS)
        return
      }
      response.writeHead(204).end()
      const { projectId, subject } = JSON.parse(Buffer.concat(chunks).toString()) as GatewayEvent
      this.#receive(`${projectId}/${subject}`, performance.now())
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    stops.defer(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Records that the response to a change has arrived. */
  markChanged(subject: string): void {
    this.#changedAt.set(subject, performance.now())
  }

  /** Waits for messages and returns their latencies. */
  async take(count: number): Promise<number[]> {
    while (this.#latencies.length + this.#early.length < count) await pause(20)
    // A message may arrive before the response to the change.
    for (const { subject, at } of this.#early.splice(0)) {
      this.#latencies.push(Math.max(0, at - (this.#changedAt.get(subject) ?? at)))
    }
    const taken = this.#latencies
    this.#latencies = []
    return taken
  }

  #receive(subject: string, at: number): void {
    const changedAt = this.#changedAt.get(subject)
    if (changedAt === undefined) this.#early.push({ subject, at })
    else this.#latencies.push(at - changedAt)
  }
}

interface Project {
  readonly client: GatewayClient
  readonly projectId: number
}

/** Changes each project `count` times. Returns the latencies of the working webhooks. */
async function runRound(receiver: Receiver, projects: readonly Project[], count: number): Promise<number[]> {
  for (let change = 0; change < count; change += 1) {
    const changes = projects.map(async ({ client, projectId }) => {
      const { id } = await promoCodeCards.create(client, {
        name: 'Card',
        nftAddress: '0x00000000000000000000000000000000000000aa',
        startTime: '2026-01-01T00:00:00Z',
        endTime: '2099-01-01T00:00:00Z',
        totalIssued: 1,
      })
      receiver.markChanged(`${projectId}/card/${id}`)
    })
    await Promise.all([...changes, pause(EVENT_INTERVAL_MS)])
  }
  return await receiver.take(count * projects.length * GOOD_PER_PROJECT)
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const storage = await startStorage(stops)
  const { databaseUrl, secretKeys } = storage
  const settings = { DATABASE_URL: databaseUrl, SECRET_KEYS: secretKeys, WEBHOOK_ALLOW_PRIVATE: 'true' }
  const port = await startServer(stops, 'gateway', settings)
  const receiver = new Receiver()
  const url = await receiver.listen(stops)
  const createProjects = async (name: string, badUrls: readonly string[]): Promise<Project[]> => {
    const projects: Project[] = []
    for (let index = 0; index < PROJECTS; index += 1) {
      const baseUrl = `http://127.0.0.1:${port}`
      const project = await createProjectClient(storage, `${name} ${index}`, { baseUrl })
      for (let count = 0; count < GOOD_PER_PROJECT; count += 1) {
        await eventWebhooks.configure(project.client, { url: `${url}/good` })
      }
      const bad = badUrls[index % badUrls.length]
      if (bad !== undefined) await eventWebhooks.configure(project.client, { url: bad })
      projects.push(project)
    }
    return projects
  }
  const all = await createProjects('good', [])
  const mixed = await createProjects('mixed', [DEAD_URL, `${url}/slow`])
  const [rounds, changes] = quick ? [1, 5] : [5, 10]
  const latencies = { good: [] as number[], mixed: [] as number[] }
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    onStep(round, rounds + 1)
    const [good, others] = [await runRound(receiver, all, changes), await runRound(receiver, mixed, changes)]
    if (round === 0) continue
    latencies.good.push(...good)
    latencies.mixed.push(...others)
  }
  const toRow = (name: string, values: readonly number[]) => ({
    name,
    figures: [summarize(values), ...[0.99, 1].map((share) => toFigure(percentile(values, share)))],
  })
  return {
    columns: [
      { name: 'median', unit: 'ms' },
      { name: 'p99', unit: 'ms' },
      { name: 'slowest', unit: 'ms' },
    ],
    rows: [
      toRow('40 webhooks that work', latencies.good),
      toRow('the same beside 5 dead and 5 slow ones', latencies.mixed),
    ],
    aims: [],
  }
}

/** Compares the latency of webhooks that work with and without others that do not. */
export const webhooksSection: Section = {
  name: 'webhooks',
  title: 'Webhooks of the gateway: from the response to a change to the arrival of its message',
  measure,
}
