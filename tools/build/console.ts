import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesBelow } from '../workspace.ts'
import { runLocked } from './process-lock.ts'

/**
 * Builds the console to `packages/console/dist/site`, from the sources of the packages that it imports. Does
 * nothing if none of its inputs has changed since the last build. Waits for another process that builds it.
 *
 * @throws Error if the build fails.
 */
export function buildConsole(root: string): void {
  const folder = join(root, 'packages/console')
  runLocked(join(folder, 'dist/site.lock'), () => buildIfChanged(root, folder))
}

function buildIfChanged(root: string, folder: string): void {
  const site = join(folder, 'dist/site')
  const stampFile = join(folder, 'dist/site.stamp')
  const stamp = hashInputs(root)
  const isCurrent = existsSync(join(site, 'index.html')) && existsSync(stampFile)
  if (isCurrent && readFileSync(stampFile, 'utf8') === stamp) return
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  // A build that is interrupted leaves a part of the site.
  rmSync(stampFile, { force: true })
  // React has checks for development that depend on NODE_ENV, which a test runner may have set.
  const { status, error } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'inherit',
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`vite build of ${folder} failed with status ${status}`)
  writeFileSync(stampFile, stamp)
}

/**
 * A hash of every file that a build of the console can read, except installed packages, which the lockfile
 * names.
 */
function hashInputs(root: string): string {
  const isInput = (path: string) => !/\.test(-d)?\.ts$/.test(path)
  const files = [
    ...filesBelow(join(root, 'packages/console/app'), isInput),
    ...CLIENT_PACKAGES.flatMap((name) => filesBelow(join(root, 'packages', name, 'src'), isInput)),
    join(root, 'packages/console/vite.config.ts'),
    ...filesBelow(join(root, 'packages/console/vite'), isInput),
    join(root, 'package-lock.json'),
  ]
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${relative(root, file)}\n`).update(readFileSync(file))
  return hash.digest('hex')
}

/** The packages whose sources the console imports, directly or through each other. */
const CLIENT_PACKAGES = [
  ...['admin', 'cards', 'contracts', 'core-auth', 'envelope', 'events', 'facilitator', 'market'],
  ...['minting', 'operation', 'orders', 'transport', 'wallet'],
]
