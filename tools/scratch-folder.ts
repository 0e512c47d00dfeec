import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A temporary folder, made of the given files; objects are written as JSON. */
export function scratchFolder(files: Readonly<Record<string, string | object>>) {
  const root = mkdtempSync(join(tmpdir(), 'mintmark-scratch-'))
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) }
}
