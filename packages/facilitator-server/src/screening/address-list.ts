import { readFile, stat } from 'node:fs/promises'
import { ConfigurationError } from '@mintmark/server-kit'

/** A list of addresses in a file, which may change at any time. */
export interface AddressList {
  /** What is wrong with the file; `''` if the list is what the file has. */
  readonly problem: string
  /** Returns the operator's reason for a listed address, `''` without one. Undefined: it is not listed. */
  find(address: string): string | undefined
  /**
   * Reads the file if it has changed. A file that cannot be read, or has another line than expected, leaves
   * the list as it was.
   *
   * @throws ConfigurationError with the problem.
   */
  reload(): Promise<void>
}

/** Reads a list of addresses. @throws ConfigurationError with the problem of the file. */
export async function openAddressList(path: string): Promise<AddressList> {
  let reasons: ReadonlyMap<string, string> = new Map()
  let problem = ''
  let read = ''
  const list: AddressList = {
    get problem() {
      return problem
    },
    find: (address) => reasons.get(normalize(address)),
    async reload() {
      try {
        const { ino, size, mtimeMs, ctimeMs } = await stat(path)
        // Before the file is read: a change during the reading is read the next time.
        const version = [ino, size, mtimeMs, ctimeMs].join()
        if (version !== read) reasons = parseAddressList(await readFile(path, 'utf8'))
        read = version
        problem = ''
      } catch (error) {
        problem = `SCREENING_FILE: ${describe(error)}`
        throw new ConfigurationError(problem, { cause: error })
      }
    },
  }
  await list.reload()
  return list
}

/** Errors of the file system have a code. */
const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? `the file cannot be read (${error.code})` : error.message
}

/** EVM addresses have no case. Those of Solana do. */
const normalize = (address: string): string => (/^0x/i.test(address) ? address.toLowerCase() : address)

const ADDRESS = /^(?:0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/

/**
 * Parses a list: a line has an address, and after a space the reason. Lines that begin with `#` are comments.
 *
 * @throws Error with the number of the first line that has no address.
 */
function parseAddressList(text: string): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>()
  const lines = text.split('\n').map((line) => line.trim())
  // A program may have emptied the file to write it.
  if (lines.every((line) => line === ''))
    throw new Error('the file is empty. Write a comment (#) into a list without addresses')
  for (const [index, line] of lines.entries()) {
    if (line === '' || line.startsWith('#')) continue
    const [first = '', ...reason] = line.split(/\s+/)
    const address = normalize(first)
    if (!ADDRESS.test(address))
      throw new Error(
        `line ${index + 1} does not begin with an address (0x and 40 hexadecimal digits, or one of Solana)`,
      )
    reasons.set(address, reason.join(' '))
  }
  return reasons
}
