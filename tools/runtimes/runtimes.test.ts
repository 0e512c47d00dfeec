import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from './browser.ts'
import { type Runtime, runtimes } from './runtimes.ts'
import { type OpenStage, openStage } from './stage.ts'
import { tryIn } from './trial.ts'
import { differences } from './verdict.ts'

let stage: OpenStage
beforeAll(async () => {
  stage = await openStage()
}, 180_000)
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
