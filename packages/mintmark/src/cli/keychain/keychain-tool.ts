import type { ToolResult } from './run-tool.ts'

/** The name of this program in the keychain. */
export const KEYCHAIN_SERVICE = 'mintmark'

/** A call of the operating system's tool. */
export interface ToolCall {
  readonly command: string
  readonly parameters: readonly string[]
  /** What the tool reads from standard input. */
  readonly input: string
}

/**
 * How a keychain is used by a tool of the operating system. Accounts and values have no characters that need
 * quotes.
 */
export interface KeychainTool {
  /** How people install the tool, as the end of a sentence. */
  readonly installation: string
  store(account: string, value: string): ToolCall
  find(account: string): ToolCall
  remove(account: string): ToolCall
  /** Whether a result says that the keychain has no such account. */
  isMissing(result: ToolResult): boolean
}
