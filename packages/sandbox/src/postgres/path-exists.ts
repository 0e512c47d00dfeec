import { lstat } from 'node:fs/promises'

/** Whether a path exists. A symlink counts, wherever it points. Throws when that cannot be determined. */
export async function pathExists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Whether an error has one of these codes of the operating system, such as ENOENT. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => error.code === code)
}
