// The code that the explorer of the console writes for each operation, in each language, is run: it sends
// what the client sends.
import { execFileSync } from 'node:child_process'
import type { OperationShape } from '@mintmark/operation'
import { createGateway } from '@mintmark/transport'
import { expect, it } from 'vitest'
import { type CatalogueEntry, listCatalogue } from '../../packages/console/app/pages/explorer/catalogue.ts'
import {
  writeCommand,
  writeShellScript,
  writeTypeScript,
} from '../../packages/console/app/pages/explorer/snippets.ts'
import { createSample, createSampleInput } from '../../packages/mintmark/src/cli/sample-values.ts'
import {
  createStub,
  type RecordedRequest,
  respondWith,
  runCommand,
  VARIABLES,
} from '../../packages/mintmark/src/cli/testing/run-command.ts'

const baseUrl = VARIABLES.MINTMARK_GATEWAY_URL
const credentials = { apiKey: VARIABLES.MINTMARK_API_KEY, secret: VARIABLES.MINTMARK_SECRET }
const calls = listCatalogue({ isOperator: true })
  .flatMap(({ entries }) => entries)
  .filter(({ operation }) => operation.result !== 'event-stream')
  .map((entry) => ({ id: entry.operation.id, entry, input: createSampleInput(entry.operation, true) }))

type Call = (typeof calls)[number]

const respondTo = ({ data }: OperationShape) => respondWith(createSample(data))

/** What a request says, without what depends on the time. The order of a query has no meaning. */
function toMessage({ method, url, body }: Pick<RecordedRequest, 'method' | 'url' | 'body'>) {
  const { origin, pathname, searchParams } = new URL(url)
  return { method, origin, pathname, query: [...searchParams].map(String).toSorted(), body }
}

/** Returns the request that the client sends. */
async function readRequest({ entry, input }: Call) {
  const { requests, fetch } = createStub(() => respondTo(entry.operation))
  await createGateway({ baseUrl, credentials, fetch }).call(entry.operation, input)
  return requests.map(toMessage)
}

/** Runs a program of the explorer, with a client that sends nothing to a network. */
async function runProgram(entry: CatalogueEntry, code: string): Promise<readonly RecordedRequest[]> {
  const { requests, fetch } = createStub(() => respondTo(entry.operation))
  const imports = /^import \{ (\w+) \} from '([^']+)'$/gm
  const modules = new Map<string, unknown>()
  for (const [, name = '', from = ''] of code.matchAll(imports)) {
    const module: Readonly<Record<string, unknown>> = await import(from)
    modules.set(name, module[name])
  }
  modules.set('createGateway', (options: object) =>
    createGateway({ ...options, baseUrl, credentials, fetch }),
  )
  const main = new Function(
    ...[...modules.keys(), 'process', 'console'],
    `return (async () => {${code.replaceAll(imports, '')}\n})()`,
  )
  await main(...modules.values(), { env: VARIABLES }, { log() {} })
  return requests
}

/**
 * Runs scripts in one shell, in which each program prints its arguments instead. Returns the arguments of
 * each script's last program.
 */
function runScripts(scripts: readonly string[], program: string): readonly (readonly string[])[] {
  const stubs = [
    `${program}() { printf '%s\\036' "$@"; }`,
    "date() { printf '1'; }",
    "openssl() { printf '0 -'; }",
    "cut() { printf '0'; }",
  ]
  const script = [...stubs, ...scripts.map((each) => `( ${each}\n ); printf '\\035'`)].join('\n')
  const env = { PATH: process.env.PATH, ...VARIABLES }
  const output = execFileSync('sh', ['-eu'], { input: script, env, encoding: 'utf8', maxBuffer: 1e8 })
  return output
    .split('\u{1d}')
    .slice(0, -1)
    .map((words) => words.split('\u{1e}').slice(0, -1))
}

/** Reads the arguments of curl as a request. */
function toCurlRequest(words: readonly string[]): ReturnType<typeof toMessage> {
  const readOption = (name: string) => words[words.indexOf(name) + 1]
  const url = words.find((word) => word.startsWith('http')) ?? ''
  const body = words.includes('--data-binary') ? JSON.parse(readOption('--data-binary') ?? '') : undefined
  return toMessage({ method: readOption('--request') ?? '', url, body })
}

it('the code of the explorer for every operation has more than two hundred operations', () => {
  expect(calls.length).toBeGreaterThan(200)
})

it('the code of the explorer for every operation sends as TypeScript what the client sends', async () => {
  for (const call of calls) {
    const requests = await runProgram(call.entry, writeTypeScript({ ...call, baseUrl }))
    expect(requests.map(toMessage), call.id).toEqual(await readRequest(call))
  }
})

it('the code of the explorer for every operation sends as a command what the client sends', async () => {
  const commands = calls.map((call) => writeCommand({ ...call, baseUrl }))
  const words = runScripts(commands, 'mintmark')
  for (const [index, call] of calls.entries()) {
    const { requests, fetch } = createStub(() => respondTo(call.entry.operation))
    const { exitCode, errors } = await runCommand(words[index] ?? [], { fetch })
    expect([errors, exitCode], call.id).toEqual(['', 0])
    expect(requests.map(toMessage), call.id).toEqual(await readRequest(call))
  }
})

it('the code of the explorer for every operation sends as a script of the shell what the client sends', async () => {
  const scripts = calls.map((call) => writeShellScript({ ...call, baseUrl }))
  const words = runScripts(scripts, 'curl')
  for (const [index, call] of calls.entries())
    expect([toCurlRequest(words[index] ?? [])], call.id).toEqual(await readRequest(call))
})
