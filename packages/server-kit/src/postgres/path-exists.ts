import { lstat } from 'node:fs/promises'

/** Whether something stands at a path (a symlink counts, wherever it points). Fails where that cannot be told. */
export async function pathExists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Whether an error is the operating system's of this code, such as ENOENT. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => error.code === code)
}
