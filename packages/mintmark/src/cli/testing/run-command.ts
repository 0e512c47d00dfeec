import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { CommandEnvironment } from '../environment.ts'
import { runCommandLine } from '../run.ts'

/** Credentials that reach no server, because tests replace fetch. */
export const VARIABLES = {
  MINTMARK_GATEWAY_URL: 'http://gateway.test',
  MINTMARK_API_KEY: 'mk_test',
  MINTMARK_SECRET: 'sk_very_secret',
  MINTMARK_FACILITATOR_URL: 'http://facilitator.test',
  MINTMARK_FACILITATOR_TOKEN: 'token_very_secret',
}

/**
 * What differs from a command without a terminal, in an empty folder, with credentials in the environment.
 */
export interface CommandSettings extends Partial<CommandEnvironment> {
  /** What the command reads from standard input. */
  readonly text?: string
  /** Whether the output is a terminal, of 80 columns. */
  readonly isTerminal?: boolean
}

export interface CommandResult {
  readonly exitCode: number
  readonly output: string
  readonly errors: string
}

/** Creates an empty folder, which is removed after the test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A stream that collects what is written to it. */
export function createRecorder(isTerminal = false) {
  const parts: string[] = []
  const stream = Object.assign(new PassThrough(), { isTTY: isTerminal, columns: 80 })
  stream.on('data', (part) => parts.push(String(part)))
  return { stream, read: () => parts.join('') }
}

/** A terminal on which a person types. */
export function createTerminal() {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  return input
}

/** Runs a command line in this process. */
export async function runCommand(
  words: readonly string[],
  settings: CommandSettings = {},
): Promise<CommandResult> {
  const { text = '', isTerminal = false, ...others } = settings
  const output = createRecorder(isTerminal)
  const errors = createRecorder(false)
  const exitCode = await runCommandLine(words, {
    variables: VARIABLES,
    currentFolder: createFolder(),
    homeFolder: createFolder(),
    input: PassThrough.from([text]),
    output: output.stream,
    errors: errors.stream,
    signal: new AbortController().signal,
    openBrowser: async () => false,
    openKeychain: () => Promise.reject(new Error('No keychain is expected to open')),
    programFiles: [],
    runFile: () => Promise.reject(new Error('No file is expected to run')),
    ...others,
  })
  return { exitCode, output: output.read(), errors: errors.read() }
}

/** A request that a command sent. */
export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Records requests, and responds to each. */
export function createStub(respond: (request: RecordedRequest) => Response | Promise<Response>) {
  const requests: RecordedRequest[] = []
  async function fetch(url: string, init: RequestInit): Promise<Response> {
    const sent = new Request(url, init)
    const text = await sent.text()
    const request = {
      method: sent.method,
      url,
      headers: Object.fromEntries(sent.headers),
      body: text === '' ? undefined : JSON.parse(text),
    }
    requests.push(request)
    return await respond(request)
  }
  return { requests, fetch }
}

/** A successful response of the gateway. */
export function respondWith(data: unknown): Response {
  return Response.json({ code: 200, data, msg: '', success: true })
}
