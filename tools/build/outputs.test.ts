import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Package } from '../workspace.ts'
import { markPackage, removeStale } from './outputs.ts'

const source = `import { make } from './library.js'
export const first = make('first', make('second')), third = make({ ...first, fourth: 'fourth' })

export class Kind { static fifth = make('fifth') }
export const plain = 'plain'
`

let each: Package
const built = (name: string) => join(each.folder, 'dist', name)

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-outputs-'))
  each = { folder, manifest: { name: 'each', version: '1.0.0' } }
  mkdirSync(join(folder, 'src'))
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'src/module.ts'), source)
  const { outputText, sourceMapText } = ts.transpileModule(source, {
    fileName: 'module.ts',
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, sourceMap: true },
  })
  writeFileSync(built('module.js'), outputText)
  writeFileSync(built('module.js.map'), sourceMapText ?? '')
})
afterEach(() => rmSync(each.folder, { recursive: true }))

/** Where a text stands, both from 0. */
function placeOf(text: string, wanted: string): { line: number; column: number } {
  const before = text.slice(0, text.indexOf(wanted))
  return { line: before.split('\n').length - 1, column: before.length - before.lastIndexOf('\n') - 1 }
}

describe('the built files of a package', () => {
  it('keep pointing at their sources after they are marked', () => {
    expect(markPackage(each)).toEqual([])
    const code = readFileSync(built('module.js'), 'utf8')
    expect(code.match(/@__PURE__/g)).toHaveLength(4)
    const map = new SourceMap(JSON.parse(readFileSync(built('module.js.map'), 'utf8')))
    for (const text of [
      `'first'`,
      `'second'`,
      'third',
      `'fourth'`,
      'fifth',
      `'fifth'`,
      'plain =',
      `'plain'`,
    ]) {
      const generated = placeOf(code, text)
      const entry = map.findEntry(generated.line, generated.column)
      expect({ text, entry }).toMatchObject({ text, entry: { generatedColumn: generated.column } })
      const { line, column } = placeOf(source, text)
      expect({ text, entry }).toMatchObject({ text, entry: { originalLine: line, originalColumn: column } })
    }
  })

  it('are left alone once they are marked', () => {
    markPackage(each)
    const before = [readFileSync(built('module.js')), readFileSync(built('module.js.map'))]
    markPackage(each)
    expect([readFileSync(built('module.js')), readFileSync(built('module.js.map'))]).toEqual(before)
  })

  it('are removed when their source is gone, and stay when it is there', () => {
    writeFileSync(built('gone.js'), '')
    writeFileSync(built('gone.d.ts.map'), '')
    expect(removeStale(each)).toHaveLength(2)
    expect(existsSync(built('gone.js'))).toBe(false)
    expect(existsSync(built('module.js'))).toBe(true)
  })
})
