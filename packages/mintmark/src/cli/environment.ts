import type { Readable, Writable } from 'node:stream'

/** An input that may be a terminal. */
export type CommandInput = Readable & { readonly isTTY?: boolean }

/** An output that may be a terminal. */
export type CommandOutput = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** An entry of a keychain. Its methods reject if the keychain is locked or fails. */
export interface KeychainEntry {
  setPassword(value: string, signal?: AbortSignal): Promise<void>
  /** Returns null for an entry that does not exist. */
  getPassword(signal?: AbortSignal): Promise<string | null>
  deleteCredential(signal?: AbortSignal): Promise<boolean>
}

/** What a command reads and writes, so that tests can run commands without a process. */
export interface CommandEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly currentFolder: string
  readonly homeFolder: string
  readonly input: CommandInput
  readonly output: CommandOutput
  /** Receives errors, warnings, prompts and progress, so that `output` has data only. */
  readonly errors: CommandOutput
  /** Is aborted when the person presses Ctrl-C, or by an OutputClosedError when nobody reads the output. */
  readonly signal: AbortSignal
  /** Replaces the global fetch. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Opens an entry of the operating system's keychain. @throws Error without a keychain. */
  openKeychain(account: string): Promise<KeychainEntry>
  /** Opens an address in a browser. Returns false without a browser. */
  openBrowser(url: string): Promise<boolean>
  /** Files of this program. Optional packages are found from them. */
  readonly programFiles: readonly string[]
  /** Runs a file with Node and this process's input and outputs until it ends. Returns its exit code. */
  runFile(
    file: string,
    parameters: readonly string[],
    variables: Readonly<Record<string, string | undefined>>,
  ): Promise<number>
}

/** The width of a terminal, or of text that is not written to a terminal. */
export function getWidth(output: CommandOutput): number {
  return Math.max(40, output.columns ?? 80)
}

/** Writes a text, and waits until the output accepts more. */
export async function write(output: CommandOutput, text: string): Promise<void> {
  if (output.destroyed || output.write(text)) return
  await new Promise<void>((resolve) => {
    const finish = () => {
      output.off('drain', finish)
      output.off('close', finish)
      resolve()
    }
    output.on('drain', finish)
    output.on('close', finish)
  })
}
