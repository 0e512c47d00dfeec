import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Scan, ScanAnswer, ScannedCard, ScanRequest } from './scan.ts'
import { createScanQueue, type QueueSurroundings, type ScanQueue, type ScanStorage } from './scan-queue.ts'

const PROJECT = 7

/** Numbers that look random and are the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const turns = new MessageChannel()
afterAll(() => turns.port1.close())

/** Waits until everything that can run now has run. */
function waitTurn(): Promise<void> {
  return new Promise((resolve) => {
    turns.port2.addEventListener('message', () => resolve(), { once: true })
    turns.port2.start()
    turns.port1.postMessage(undefined)
  })
}

/** Scans in memory, which outlive the tabs that store them. */
function createStorage(): ScanStorage & { readonly scans: Map<number, Scan> } {
  const scans = new Map<number, Scan>()
  let sequence = 0
  return {
    scans,
    async add(scan) {
      sequence += 1
      const stored = { ...scan, sequence }
      scans.set(sequence, stored)
      return stored
    },
    async replaceWaiting(scan) {
      const stored = scans.get(scan.sequence)
      if (stored !== undefined && stored.state !== 'waiting') return stored
      scans.set(scan.sequence, scan)
      return scan
    },
    async listWaiting(projectId, code) {
      return [...scans.values()].filter(
        (each) =>
          each.projectId === projectId &&
          each.state === 'waiting' &&
          (code === undefined || each.code === code),
      )
    },
    // The tests compare all answered scans at the end.
    async prune() {},
  }
}

/** A server with cards of a number of uses, which records each nonce once, as the gateway does. */
function createServer(uses: ReadonlyMap<string, number>) {
  const left = new Map(uses)
  const records = new Map<string, ScanAnswer & { readonly code: string }>()
  return {
    records,
    countUses: (code: string) => (uses.get(code) ?? 0) - (left.get(code) ?? 0),
    verify({ nonce, code }: Scan): ScanAnswer {
      const earlier = records.get(nonce)
      if (earlier !== undefined) {
        expect(earlier.code).toBe(code)
        return earlier
      }
      const remaining = left.get(code) ?? 0
      if (remaining > 0) left.set(code, remaining - 1)
      const usedCount = (uses.get(code) ?? 0) - (left.get(code) ?? 0)
      const answer: ScanAnswer =
        remaining > 0
          ? { state: 'accepted', reason: '', usedCount }
          : { state: 'refused', reason: 'exhausted', usedCount }
      records.set(nonce, { ...answer, code })
      return answer
    },
  }
}

type Server = ReturnType<typeof createServer>

function createLock(): QueueSurroundings['lock'] {
  const ends = new Map<string, Promise<void>>()
  return async (name, run) => {
    const previous = ends.get(name) ?? Promise.resolve()
    const current = previous.then(run)
    ends.set(
      name,
      current.catch(() => {}),
    )
    await current
  }
}

interface Tab {
  readonly queue: ScanQueue
  /** Ends the tab at this moment: nothing that it waits for continues. */
  crash(): void
}

interface World {
  readonly storage: ScanStorage
  readonly server: Server
  readonly random: () => number
  /** How often a request, or its answer, is lost: 0 to 1. */
  readonly loss: number
  readonly lock: QueueSurroundings['lock']
  /** Called at every step of a tab; it may end the tab. */
  onStep?(tab: Tab): void
}

const card: ScannedCard = {
  program: 'promoCodeCards',
  id: 1,
  name: 'A free coffee',
  totalIssued: 3,
  startTime: '2026-01-01T00:00:00.000Z',
  endTime: '2026-12-31T00:00:00.000Z',
  stores: [],
  level: '',
}

function createNonces(): () => string {
  let count = 0
  return () => {
    count += 1
    return `nonce ${count}`
  }
}

const createNonce = createNonces()

function openTab(world: World): Tab {
  const { storage, server, random, loss } = world
  let hasCrashed = false
  const never = new Promise<never>(() => {})
  // Each await of the queue passes here, so that a tab can end between any two of them.
  async function step<Result>(run: () => Promise<Result> | Result): Promise<Result> {
    world.onStep?.(tab)
    if (hasCrashed) return await never
    const result = await run()
    world.onStep?.(tab)
    return hasCrashed ? await never : result
  }
  const queue = createScanQueue(PROJECT, {
    storage: {
      add: (scan) => step(() => storage.add(scan)),
      replaceWaiting: (scan) => step(() => storage.replaceWaiting(scan)),
      listWaiting: (projectId, code) => step(() => storage.listWaiting(projectId, code)),
      prune: (projectId, keep) => step(() => storage.prune(projectId, keep)),
    },
    send: (scan, remember) =>
      step(async () => {
        if (random() < loss) throw new Error('The request was lost')
        if (scan.card === undefined) await remember(card)
        if (random() < loss) throw new Error('The request was lost')
        const answer = server.verify(scan)
        // The network delivers some requests twice.
        if (random() < loss / 2) expect(server.verify(scan)).toEqual(answer)
        if (random() < loss) throw new Error('The answer was lost')
        return answer
      }),
    // A lock ends with the tab that has it.
    lock: (name, run) =>
      world.lock(name, () => (hasCrashed ? Promise.resolve() : Promise.race([run(), crashed.promise]))),
    now: () => 0,
    wait: () => step(() => waitTurn()),
    createNonce,
    onChange: () => {},
    onProblem: () => {},
  })
  const crashed = Promise.withResolvers<void>()
  const tab: Tab = {
    queue,
    crash() {
      hasCrashed = true
      crashed.resolve()
    },
  }
  return tab
}

const toRequest = (code: string): ScanRequest => ({
  projectId: PROJECT,
  code,
  device: 'console 1',
  store: 'Berlin',
  verifier: 'sam@demo.example',
  membershipAction: 'CHECK_IN',
})

/** Lets tabs work until no scan waits. */
async function finish(storage: ScanStorage, openAnother: () => Tab): Promise<void> {
  let tab = openAnother()
  tab.queue.wake()
  for (let turn = 0; (await storage.listWaiting(PROJECT)).length > 0; turn += 1) {
    await waitTurn()
    // A crashed tab is opened again.
    if (turn % 20 === 19) {
      tab = openAnother()
      tab.queue.wake()
    }
    expect(turn).toBeLessThan(100_000)
  }
}

/** What the server recorded, and what the device shows, agree for every scan. */
function expectAgreement(scans: readonly Scan[], server: Server): void {
  for (const { nonce, code, state, reason, usedCount } of scans) {
    expect(server.records.get(nonce)).toEqual({ code, state, reason, usedCount })
  }
  expect(server.records.size).toBe(scans.length)
  for (const code of new Set(scans.map((scan) => scan.code))) {
    const accepted = scans.filter((scan) => scan.code === code && scan.state === 'accepted')
    expect(accepted).toHaveLength(server.countUses(code))
  }
}

describe('the queue of scans', () => {
  it('redeems 1,000 scans once each although requests and answers are lost', async () => {
    const codes = Array.from({ length: 200 }, (_, index) => `code ${index}`)
    const server = createServer(new Map(codes.map((code, index) => [code, index % 9])))
    const storage = createStorage()
    const random = createRandom(20_261_123)
    const tab = openTab({ storage, server, random, loss: 0.3, lock: createLock() })
    for (let index = 0; index < 1000; index += 1) {
      await tab.queue.add(toRequest(codes[Math.floor(random() * codes.length)] ?? ''))
      if (random() < 0.2) await waitTurn()
    }
    await expect.poll(() => storage.listWaiting(PROJECT)).toEqual([])
    expect(storage.scans.size).toBe(1000)
    expectAgreement([...storage.scans.values()], server)
  })

  it('loses and doubles nothing when tabs end at any step and two of them share the scans', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.double({ min: 0, max: 0.6, noNaN: true }),
        fc.double({ min: 0, max: 0.15, noNaN: true }),
        fc.boolean(),
        async (seed, loss, crashes, hasLocks) => {
          const random = createRandom(seed)
          const codes = ['a', 'b', 'c', 'd']
          const server = createServer(new Map(codes.map((code, index) => [code, index * 3])))
          const storage = createStorage()
          // Browsers without locks let both tabs send the same scan at the same time.
          const lock: QueueSurroundings['lock'] = hasLocks ? createLock() : (_name, run) => run()
          const onStep = (tab: Tab) => {
            if (random() < crashes) tab.crash()
          }
          const world = { storage, server, random, loss, lock, onStep }
          const tabs = [openTab(world), openTab(world)]
          const stored: Scan[] = []
          for (let index = 0; index < 60; index += 1) {
            const at = Math.floor(random() * tabs.length)
            const tab = tabs[at] ?? openTab(world)
            // A person who sees no result scans again; a tab that has ended stores nothing more.
            void tab.queue
              .add(toRequest(codes[Math.floor(random() * 4)] ?? ''))
              .then((scan) => stored.push(scan))
            await waitTurn()
            if (random() < 0.1) {
              tab.crash()
              tabs[at] = openTab(world)
              tabs[at]?.queue.wake()
            }
          }
          await finish(storage, () => openTab(world))
          const scans = [...storage.scans.values()]
          expectAgreement(scans, server)
          const known = new Set(scans.map(({ nonce }) => nonce))
          expect(stored.filter(({ nonce }) => !known.has(nonce))).toEqual([])
        },
      ),
      { seed: 20_261_123, numRuns: 150 },
    )
  })

  it('sends the scans of a card in their order, also after failures and with two tabs', async () => {
    const server = createServer(new Map([['a', 1000]]))
    const storage = createStorage()
    const random = createRandom(5)
    const world = { storage, server, random, loss: 0.4, lock: createLock() }
    const tabs = [openTab(world), openTab(world)]
    for (let index = 0; index < 200; index += 1) await tabs[index % 2]?.queue.add(toRequest('a'))
    for (const tab of tabs) tab.queue.wake()
    await expect.poll(() => storage.listWaiting(PROJECT)).toEqual([])
    const scans = [...storage.scans.values()]
    expect([...server.records.keys()]).toEqual(scans.map(({ nonce }) => nonce))
    expect(scans.map(({ usedCount }) => usedCount)).toEqual(scans.map((_, index) => index + 1))
  })

  it('sends nothing that could not be stored', async () => {
    const server = createServer(new Map([['a', 1]]))
    const storage = createStorage()
    const full: ScanStorage = { ...storage, add: () => Promise.reject(new Error('The storage is full')) }
    const { queue } = openTab({ storage: full, server, random: () => 1, loss: 0, lock: createLock() })
    await expect(queue.add(toRequest('a'))).rejects.toThrow('The storage is full')
    queue.wake()
    await waitTurn()
    expect(server.records.size).toBe(0)
  })

  it('keeps a scan waiting while the server does not answer, and reports the problem', async () => {
    const storage = createStorage()
    const problems: unknown[] = []
    const pauses: number[] = []
    const failure = new Error('The server cannot be reached')
    const queue = createScanQueue(PROJECT, {
      storage,
      send: () => Promise.reject(failure),
      lock: (_name, run) => run(),
      now: () => 0,
      wait: async (milliseconds) => {
        pauses.push(milliseconds)
        if (pauses.length === 6) queue.stop()
      },
      createNonce: () => 'nonce',
      onChange: () => {},
      onProblem: (problem) => problems.push(problem),
    })
    await queue.add(toRequest('a'))
    await expect.poll(() => pauses).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000])
    expect(new Set(problems)).toEqual(new Set([failure]))
    expect(await storage.listWaiting(PROJECT)).toHaveLength(1)
  })

  it('tries again at once when the connection is back', async () => {
    const storage = createStorage()
    let isConnected = false
    const waits: AbortSignal[] = []
    const queue = createScanQueue(PROJECT, {
      storage,
      send: async () => {
        if (!isConnected) throw new Error('offline')
        return { state: 'accepted', reason: '', usedCount: 1 }
      },
      lock: (_name, run) => run(),
      now: () => 5,
      wait: (_milliseconds, signal) => {
        waits.push(signal)
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
      },
      createNonce: () => 'nonce',
      onChange: () => {},
      onProblem: () => {},
    })
    await queue.add(toRequest('a'))
    await expect.poll(() => waits.length).toBe(1)
    isConnected = true
    queue.wake()
    await expect.poll(() => storage.scans.get(1)).toMatchObject({ state: 'accepted', answeredAt: 5 })
    queue.stop()
  })

  it('tries again at once when the connection comes back while an attempt fails', async () => {
    const storage = createStorage()
    let attempts = 0
    const queue = createScanQueue(PROJECT, {
      storage,
      send: async () => {
        attempts += 1
        if (attempts > 1) return { state: 'accepted', reason: '', usedCount: 1 }
        queue.wake()
        throw new Error('offline')
      },
      lock: (_name, run) => run(),
      now: () => 5,
      wait: () => new Promise(() => {}),
      createNonce: () => 'nonce',
      onChange: () => {},
      onProblem: () => {},
    })
    await queue.add(toRequest('a'))
    await expect.poll(() => storage.scans.get(1)?.state).toBe('accepted')
    expect(attempts).toBe(2)
  })

  it('sends a scan that arrives while the queue comes to rest', async () => {
    const storage = createStorage()
    let isAdded = false
    const queue = createScanQueue(PROJECT, {
      storage: {
        ...storage,
        prune: async () => {
          if (isAdded) return
          isAdded = true
          await queue.add(toRequest('b'))
        },
      },
      send: async () => ({ state: 'accepted', reason: '', usedCount: 1 }),
      lock: (_name, run) => run(),
      now: () => 5,
      wait: () => new Promise(() => {}),
      createNonce,
      onChange: () => {},
      onProblem: () => {},
    })
    await queue.add(toRequest('a'))
    await expect
      .poll(() => [...storage.scans.values()].map(({ state }) => state))
      .toEqual(['accepted', 'accepted'])
  })

  /** A queue of cards that were scanned in their order, and what it sends. */
  async function createBacklog(codes: readonly string[], answer: (code: string) => Promise<ScanAnswer>) {
    const storage = createStorage()
    const { promise: isStored, resolve: start } = Promise.withResolvers<void>()
    const sent: string[] = []
    const paused = Promise.withResolvers<void>()
    const queue = createScanQueue(PROJECT, {
      storage,
      send: async ({ code }) => {
        await isStored
        sent.push(code)
        return await answer(code)
      },
      lock: (_name, run) => run(),
      now: () => 5,
      wait: (_milliseconds, signal) => {
        paused.resolve()
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
      },
      createNonce,
      onChange: () => {},
      onProblem: () => {},
    })
    for (const code of codes) await queue.add(toRequest(code))
    start()
    return { queue, sent, storage, paused: paused.promise }
  }

  const NIGHT = Array.from({ length: 10_000 }, (_, index) => `code ${index}`)
  /** What is scanned at the counter, by the number of requests until then. */
  const COUNTER = new Map([
    [100, 'at the counter'],
    [200, 'code 9999'],
    [300, 'the next one'],
  ])
  const ACCEPTED: ScanAnswer = { state: 'accepted', reason: '', usedCount: 1 }

  it('sends the card at the counter before those of a night without a network', async () => {
    let isConnected = false
    const answer = async (code: string) => {
      if (!isConnected) throw new Error('offline')
      const scanned = COUNTER.get(sent.length)
      if (scanned !== undefined) await queue.add(toRequest(scanned))
      // It has no answer until it is scanned again.
      if (code === 'code 9999' && sent.length < 200) throw new Error('lost')
      return ACCEPTED
    }
    const { queue, sent, paused, storage } = await createBacklog(NIGHT, answer)
    await paused
    expect(sent).toContain('code 9999')
    isConnected = true
    sent.length = 0
    queue.wake()
    await expect.poll(async () => (await storage.listWaiting(PROJECT)).length, { timeout: 60_000 }).toBe(0)
    for (const [index, code] of COUNTER) {
      const next = sent.indexOf(code, index)
      expect(next - index, code).toBeGreaterThan(-1)
      expect(next - index, code).toBeLessThan(10)
    }
  })

  it('tries few of many cards while the server does not answer', async () => {
    const { sent, paused } = await createBacklog(NIGHT.slice(0, 100), () =>
      Promise.reject(new Error('offline')),
    )
    await paused
    expect(sent.length).toBeLessThan(10)
  })

  it('sends all other cards although some never get an answer', async () => {
    const lost = new Set(NIGHT.slice(80, 100))
    const answer = (code: string) =>
      lost.has(code) ? Promise.reject(new Error('lost')) : Promise.resolve(ACCEPTED)
    const { queue, storage } = await createBacklog(NIGHT.slice(0, 100), answer)
    await expect
      .poll(async () => {
        queue.wake()
        return (await storage.listWaiting(PROJECT)).map(({ code }) => code)
      })
      .toEqual([...lost])
    queue.stop()
  })
})
