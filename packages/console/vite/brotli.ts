import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'

/**
 * Adds a compressed copy of each text file, such as `main.js.br`, for the gateway. A server has no time for
 * Brotli's highest level.
 */
export function writeBrotliCopies(): Plugin {
  let folder = ''
  return {
    name: 'write-brotli-copies',
    apply: 'build',
    configResolved({ build }) {
      folder = build.outDir
    },
    closeBundle() {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      for (const name of files.filter((each) => /\.(css|html|js|svg)$/.test(each))) {
        const path = join(folder, name)
        writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)))
      }
    },
  }
}
