import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packRelease, RELEASE_VARIABLE } from '../release/pack.ts'
import { findChromium } from '../toolchains/toolchains.ts'

/** Packs the next release and unpacks a browser, once for all release tests of a run. */
export async function setup(): Promise<() => void> {
  process.env.CHROMIUM_PATH = await findChromium()
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-release-'))
  const file = join(folder, 'release.json')
  writeFileSync(file, JSON.stringify(await packRelease(folder)))
  process.env[RELEASE_VARIABLE] = file
  return () => rmSync(folder, { recursive: true, maxRetries: 3 })
}
