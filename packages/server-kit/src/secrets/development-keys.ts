import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newSecretKey } from './seal.ts'

/** SECRET_KEYS of a machine without one: made once and kept in the data folder, readable by its owner alone. */
export async function developmentSecretKeys(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret-keys')
  await mkdir(dataDir, { recursive: true })
  try {
    await writeFile(file, newSecretKey('dev'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}
