import { readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** What a person needs to call the demo: written by the start, read by the tour. */
export interface Credentials {
  gateway: { baseUrl: string; apiKey: string; secret: string }
  facilitator: { baseUrl: string; token: string; payer: string }
  chain: { rpcUrl: string; chainId: number; token: string }
  demo: { wallet: string; creator: string; nftAddress: string; orderNo: string }
}

/** Where everything of this checkout's demo is kept. */
export function dataDir(): string {
  return resolve(process.env.DATA_DIR || '.mintmark')
}

const file = () => join(dataDir(), 'credentials.json')

/** The credentials of an earlier start; undefined before the first. */
export async function readCredentials(): Promise<Credentials | undefined> {
  try {
    return JSON.parse(await readFile(file(), 'utf8')) as Credentials
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes the file whole or not at all, readable by its owner alone. */
export async function writeCredentials(credentials: Credentials): Promise<string> {
  const beside = `${file()}.new`
  await writeFile(beside, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  await rename(beside, file())
  return file()
}
