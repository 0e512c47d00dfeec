import { basename } from 'node:path'
import * as v from 'valibot'
import type { CommandEnvironment } from '../environment.ts'
import { SetupError } from '../errors.ts'
import { toSafeText } from '../output/safe-text.ts'
import type { KeychainTool, ToolCall } from './keychain-tool.ts'
import { linuxKeychain } from './linux.ts'
import { macosKeychain } from './macos.ts'
import { runTool, type ToolResult } from './run-tool.ts'
import { createWindowsKeychain } from './windows.ts'

/** What the keychain stores of a service: the secret, with the server and the key that it belongs to. */
export interface KeychainValue {
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly secret: string
}

/** The names of entries, such as `gateway/live` of the profile `live`. Tools need no quotes for them. */
export const ACCOUNT = /^(?:gateway|facilitator)\/[\w.@-]{1,64}$/

const Value = v.object({ baseUrl: v.string(), apiKey: v.optional(v.string()), secret: v.string() })

const ALTERNATIVES =
  'log in again without --keychain, or set the credentials in the environment (`mintmark login --help`)'

function chooseTool(environment: CommandEnvironment): KeychainTool {
  if (environment.platform === 'darwin') return macosKeychain
  if (environment.platform === 'win32') return createWindowsKeychain(environment)
  return linuxKeychain
}

/** Values are base64url, so that no tool needs to quote or to encode them. */
function encodeValue(value: KeychainValue): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decodeValue(text: string): KeychainValue | undefined {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text.trim(), 'base64url').toString('utf8'))
  } catch {
    // Another program wrote the entry. The caller reports it.
    return undefined
  }
  const { success, output } = v.safeParse(Value, value)
  return success ? output : undefined
}

async function run(tool: KeychainTool, call: ToolCall, environment: CommandEnvironment): Promise<ToolResult> {
  const result = await runTool(call.command, call.parameters, call.input, environment)
  if (result !== undefined) return result
  throw new SetupError(
    `There is no keychain: ${basename(call.command)} was not found. ${tool.installation}. Or ${ALTERNATIVES}`,
  )
}

function createToolError({ exitCode, errors }: ToolResult): SetupError {
  const message = toSafeText(errors.trim()) || `its tool ended with ${exitCode}`
  return new SetupError(`The keychain failed: ${message}. Unlock or start it. Or ${ALTERNATIVES}`)
}

async function find(
  tool: KeychainTool,
  account: string,
  environment: CommandEnvironment,
): Promise<KeychainValue | undefined> {
  const result = await run(tool, tool.find(account), environment)
  if (result.exitCode === 0) return decodeValue(result.output)
  if (tool.isMissing(result)) return undefined
  throw createToolError(result)
}

/** Stores a secret in the keychain of the operating system, and replaces an earlier one of the account. */
export async function storeInKeychain(
  account: string,
  value: KeychainValue,
  environment: CommandEnvironment,
): Promise<void> {
  const tool = chooseTool(environment)
  const result = await run(tool, tool.store(account, encodeValue(value)), environment)
  if (result.exitCode !== 0) throw createToolError(result)
  // The tool of macOS may end with 0 although it refused to store.
  const stored = await find(tool, account, environment)
  if (stored?.secret !== value.secret || stored.baseUrl !== value.baseUrl) throw createToolError(result)
}

/**
 * Reads a secret from the keychain of the operating system.
 *
 * @throws SetupError if the keychain has no secret of this account for this server and key.
 */
export async function readFromKeychain(
  account: string,
  { baseUrl, apiKey }: Omit<KeychainValue, 'secret'>,
  environment: CommandEnvironment,
): Promise<string> {
  const value = await find(chooseTool(environment), account, environment)
  // Whoever changes the file of profiles cannot redirect the secret to another server.
  if (value === undefined || value.baseUrl !== baseUrl || value.apiKey !== apiKey) {
    const [service, profile] = account.split('/')
    throw new SetupError(
      `The keychain has no secret of the ${service} ${baseUrl} for the profile ${profile}. Run \`mintmark login --keychain --profile ${profile}\``,
    )
  }
  return value.secret
}

/** Removes a secret from the keychain of the operating system. It may be missing. */
export async function removeFromKeychain(account: string, environment: CommandEnvironment): Promise<void> {
  const tool = chooseTool(environment)
  const result = await run(tool, tool.remove(account), environment)
  if (result.exitCode !== 0 && !tool.isMissing(result)) throw createToolError(result)
}
