import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecretKey } from '@mintmark/server-kit'

/** Returns SECRET_KEYS for development. Creates them once in the data folder, readable only by its owner. */
export async function readDevelopmentKeys(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret-keys')
  await mkdir(dataDir, { recursive: true })
  try {
    await writeFile(file, createSecretKey('dev'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}
