import { copyFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Copies the script of the API reference into the server kit, so that browsers request nothing from third
 * parties.
 */
export function copyDocsAsset(root: string): void {
  const from = join(root, 'node_modules/@scalar/api-reference/dist/browser/standalone.js')
  const folder = join(root, 'packages/server-kit/dist/assets')
  const to = join(folder, 'scalar.js')
  const there = statSync(to, { throwIfNoEntry: false })
  const source = statSync(from)
  if (there?.size === source.size && there.mtimeMs >= source.mtimeMs) return
  mkdirSync(folder, { recursive: true })
  copyFileSync(from, to)
}
