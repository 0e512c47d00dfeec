import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../run.ts'

/**
 * The package with the script of the API reference. It is downloaded without its dependencies, which are 250
 * packages that the script already contains.
 */
const PACKAGE = '@scalar/api-reference@1.72.1'
const INTEGRITY =
  'sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow=='
const SCRIPT = 'package/dist/browser/standalone.js'

/**
 * Copies the script of the API reference into the server kit, so that browsers request nothing from third
 * parties. A download is kept with the installed packages.
 */
export async function copyDocsAsset(root: string): Promise<void> {
  const cache = join(root, 'node_modules/.cache')
  const from = join(cache, `${PACKAGE.replaceAll('/', '-')}.js`)
  if (!existsSync(from)) await download(cache, from)
  const folder = join(root, 'packages/server-kit/dist/assets')
  const to = join(folder, 'scalar.js')
  const there = statSync(to, { throwIfNoEntry: false })
  const source = statSync(from)
  if (there?.size === source.size && there.mtimeMs >= source.mtimeMs) return
  mkdirSync(folder, { recursive: true })
  copyFileSync(from, to)
}

async function download(cache: string, to: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'docs-asset-'))
  try {
    const options = ['--json', '--prefer-offline', '--pack-destination', folder]
    const output = await run('npm', ['pack', PACKAGE, ...options], { cwd: tmpdir() })
    const [packed]: { filename: string; integrity: string }[] = JSON.parse(output)
    if (packed?.integrity !== INTEGRITY) throw new Error(`${PACKAGE} is not the package that was reviewed`)
    await run('tar', ['-xzf', packed.filename, SCRIPT], { cwd: folder })
    // Another build may have downloaded it meanwhile.
    renameSync(join(folder, SCRIPT), to)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
