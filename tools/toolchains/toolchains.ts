import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const modules = join(folder, 'node_modules')
/** Holds the hash of what was installed. */
const stamp = join(modules, '.mintmark-installed')

/** Where each package has its binary, from its own folder on. */
const BINARIES = {
  bun: 'bin/bun.exe',
  deno: process.platform === 'win32' ? 'deno.exe' : 'deno',
  'node-22': 'bin/node',
  'node-26': 'bin/node',
  'typescript-6': 'bin/tsc',
  'typescript-7': 'bin/tsc',
  workerd: 'bin/workerd',
} as const

export type Toolchain = keyof typeof BINARIES

/** What an install depends on: the lockfile, and the machine that binaries were chosen for. */
function wanted(): string {
  return createHash('sha256')
    .update(`${process.platform} ${process.arch}\n`)
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
}

function isInstalled(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted()
}

/** Installs what the lockfile of this folder names, where that has changed; answers whether it had to. */
export function installToolchains(): boolean {
  if (isInstalled()) return false
  // `npm install` and not `npm ci`: the lockfile need not name the binaries of every platform.
  const options = ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  const { status, signal, error } = spawnSync('npm', options, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (error !== undefined) throw error
  if (status !== 0)
    throw new Error(`npm install in tools/toolchains ended with ${signal ?? `status ${status}`}`)
  writeFileSync(stamp, wanted())
  return true
}

/** The absolute path of a runtime or a compiler; throws when it is not installed. */
export function toolchain(name: Toolchain): string {
  const path = join(modules, name, BINARIES[name])
  if (!isInstalled() || !existsSync(path))
    throw new Error(`${name} is not installed: node tools/setup.mjs toolchains`)
  return path
}

/** The version of a runtime or a compiler, as its package names it. */
export function versionOf(name: Toolchain): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(modules, name, 'package.json'), 'utf8'),
  )
  return version
}
