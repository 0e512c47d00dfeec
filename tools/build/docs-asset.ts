import { copyFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Puts the page that shows the API's documents into the server kit, which serves it itself: no browser asks a third party. */
export function copyDocsAsset(root: string): void {
  const from = join(root, 'node_modules/@scalar/api-reference/dist/browser/standalone.js')
  const folder = join(root, 'packages/server-kit/dist/assets')
  const to = join(folder, 'scalar.js')
  const there = statSync(to, { throwIfNoEntry: false })
  const wanted = statSync(from)
  if (there?.size === wanted.size && there.mtimeMs >= wanted.mtimeMs) return
  mkdirSync(folder, { recursive: true })
  copyFileSync(from, to)
}
