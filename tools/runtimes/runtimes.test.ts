import * as promoCodeCards from '@mintmark/cards/promo-code-cards'
import { createGateway } from '@mintmark/transport'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findChromium, NO_CHROMIUM, runInBrowser } from './browser.ts'
import { output, PATIENCE } from './child.ts'
import { documented } from './documented.ts'
import { type Runtime, runtimes } from './runtimes.ts'
import { type OpenStage, openStage } from './stage.ts'
import { tryIn } from './trial.ts'
import { differences } from './verdict.ts'
import { askWorker } from './workerd.ts'

// A limit for one that hangs: each runtime is stopped before.
vi.setConfig({ testTimeout: PATIENCE + 30_000 })

let stage: OpenStage
beforeAll(async () => {
  if (findChromium() === undefined) console.warn(`Nothing is tried in a browser: ${NO_CHROMIUM}.`)
  stage = await openStage()
}, 600_000)
afterAll(() => stage?.close())

describe('the packages, installed from their tarballs', () => {
  it.for(runtimes)(
    'sign, call, page, fail in kind, verify a webhook and settle in $name',
    async (runtime, { skip }) => {
      const missing = runtime.missing()
      if (missing !== undefined) skip(missing)
      expect(await tryIn(runtime, stage)).toEqual([])
    },
  )
})

const named = (name: string): Runtime => {
  const found = runtimes.find((runtime) => runtime.name === name)
  if (found === undefined) throw new Error(`no runtime is called ${name}`)
  return found
}

describe('a runtime where something is wrong', () => {
  it('is found out by what it saw', async () => {
    const problems = await tryIn(named('Node of the repository'), stage, (given) => ({
      ...given,
      vectors: given.vectors.map((vector, index) =>
        index === 0 ? { ...vector, secret: 'another' } : vector,
      ),
      pageSize: 100,
    }))
    expect(problems).toEqual([
      expect.stringMatching(/^sign\.signatures is \["[0-9a-f]{64}",.* not \["[0-9a-f]{64}",/),
      'page.requests is 1, not 3',
    ])
  })

  it.for(['Bun', 'workerd', 'Chromium, bundled'])(
    'is found out by what its program threw: %s',
    async (name, { skip }) => {
      const runtime = named(name)
      const missing = runtime.missing()
      if (missing !== undefined) skip(missing)
      const trial = tryIn(runtime, stage, (given) => ({
        ...given,
        gateway: { ...given.gateway, secret: 'another' },
      }))
      await expect(trial).rejects.toThrow(/Unauthorized: promoCodeCards\.create: 401/)
    },
  )
})

describe('a runtime that hangs', () => {
  it('is stopped', async () => {
    const hanging = output(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      cwd: stage.project.folder,
      patience: 300,
    })
    await expect(hanging).rejects.toThrow('it ended with SIGKILL')
  })
})

describe('what docs/runtimes.md shows', () => {
  /** A gateway with a card. */
  async function someCard() {
    const { given } = await stage.world.place('documents')
    const { baseUrl, ...credentials } = given.gateway
    const { id } = await promoCodeCards.create(createGateway({ baseUrl, credentials }), {
      name: 'a card',
      nftAddress: given.nftAddress,
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2099-01-01T00:00:00Z',
      totalIssued: 1,
    })
    return { gateway: given.gateway, id }
  }

  it('works as a worker', async () => {
    const { gateway, id } = await someCard()
    const bindings = { GATEWAY_URL: gateway.baseUrl, API_KEY: gateway.apiKey, SECRET: gateway.secret }
    const answer = askWorker(stage.project, documented.worker, { path: `/?card=${id}`, bindings })
    expect(await answer).toEqual({ name: 'a card', usedCount: 0 })
  })

  it('works as an import map', async ({ skip }) => {
    const chromium = findChromium()
    if (chromium === undefined) return skip(NO_CHROMIUM)
    const card = await someCard()
    const read = runInBrowser(chromium, `${stage.pages}/documented`, card)
    expect(await read).toMatchObject({ id: card.id, name: 'a card' })
  })
})

describe('a page of an origin that CORS_ORIGINS does not name', () => {
  it('reaches neither server', async ({ skip }) => {
    const runtime = named('Chromium, bundled')
    const missing = runtime.missing()
    if (missing !== undefined) skip(missing)
    const elsewhere = { ...stage, pages: stage.pages.replace('127.0.0.1', 'localhost') }
    await expect(tryIn(runtime, elsewhere)).rejects.toThrow(
      'UnknownOutcome: promoCodeCards.create: no answer',
    )
  })
})

describe('Chromium', () => {
  it('is what CHROMIUM_PATH names, or found on PATH', () => {
    expect(findChromium({ CHROMIUM_PATH: process.execPath })).toBe(process.execPath)
    expect(() => findChromium({ CHROMIUM_PATH: '/nowhere/chromium' })).toThrow('/nowhere/chromium')
    expect(findChromium({ PATH: '/nowhere' })).toBeUndefined()
  })
})

describe('differences', () => {
  it('are named by their paths', () => {
    const expected = { a: 1, b: { c: ['x'], d: 'same' } }
    expect(differences(structuredClone(expected), expected)).toEqual([])
    expect(differences({ a: '1', b: { c: ['y'], d: 'same' } }, expected)).toEqual([
      'a is "1", not 1',
      'b.c is ["y"], not ["x"]',
    ])
    expect(differences({ a: 1, more: 2 }, expected)).toEqual([
      'b is missing, not {"c":["x"],"d":"same"}',
      'more is 2, not missing',
    ])
    expect(differences(undefined, expected)).toEqual([
      'it is missing, not {"a":1,"b":{"c":["x"],"d":"same"}}',
    ])
  })
})
