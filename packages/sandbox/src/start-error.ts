import { AnvilError } from '@mintmark/devkit'

/** The sandbox cannot start. The message says what to do. */
export class SandboxStartError extends Error {
  override readonly name = 'SandboxStartError'
}

interface Port {
  /** What listens there. */
  readonly owner: string
  readonly number: number
  /** The setting that chooses another one. */
  readonly variable: string
}

/**
 * Waits for what listens on a port.
 *
 * @throws SandboxStartError with the name of the setting if the port is in use.
 */
export async function explainPort<Result>(port: Port, start: Promise<Result>): Promise<Result> {
  try {
    return await start
  } catch (error) {
    if (!isPortTaken(error)) throw error
    throw new SandboxStartError(
      `Port ${port.number} of the ${port.owner} is in use. Stop the program that listens there, or choose another port with ${port.variable}`,
      { cause: error },
    )
  }
}

function isPortTaken(error: unknown): boolean {
  if (error instanceof AnvilError) return error.reason === 'port-taken'
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === 'EADDRINUSE') || isPortTaken(error.cause)
}
