import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { scratchFolder } from '../scratch-folder.ts'
import { annotatePackage, copySqlFiles, removeStale } from './outputs.ts'

const source = `import { make } from './library.js'
export const first = make('first', make('second')), third = make({ ...first, fourth: 'fourth' })

export class Kind { static fifth = make('fifth') }
export const plain = 'plain'
`

function builtPackage() {
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, sourceMap: true }
  const { outputText, sourceMapText = '' } = ts.transpileModule(source, {
    fileName: 'module.ts',
    compilerOptions,
  })
  const built = { 'dist/module.js': outputText, 'dist/module.js.map': sourceMapText }
  const scratch = scratchFolder({
    'src/module.ts': source,
    ...built,
    'dist/gone.js': '',
    'dist/gone.d.ts.map': '',
  })
  const read = (file: string) => readFileSync(join(scratch.root, 'dist', file), 'utf8')
  const each = { folder: scratch.root, manifest: { name: 'each', version: '1.0.0' } }
  return { scratch, read, each }
}

/** The line and column of a text, from 0. */
function placeOf(text: string, part: string): { line: number; column: number } {
  const before = text.slice(0, text.indexOf(part))
  return { line: before.split('\n').length - 1, column: before.length - before.lastIndexOf('\n') - 1 }
}

it('annotates built modules once, and their maps still point at the sources', () => {
  const { scratch, read, each } = builtPackage()
  using _ = scratch
  expect(annotatePackage(each)).toEqual([])
  const code = read('module.js')
  expect(code.match(/@__PURE__/g)).toHaveLength(3)
  const map = new SourceMap(JSON.parse(read('module.js.map')))
  for (const part of [`'first'`, `'second'`, 'third', `'fourth'`, 'fifth', `'fifth'`, 'plain =', `'plain'`]) {
    const generated = placeOf(code, part)
    const { line, column } = placeOf(source, part)
    expect(map.findEntry(generated.line, generated.column), part).toMatchObject({
      originalLine: line,
      originalColumn: column,
    })
  }
  annotatePackage(each)
  expect(read('module.js')).toBe(code)
})

it('removes built files whose source is gone', () => {
  const { scratch, each } = builtPackage()
  using _ = scratch
  expect(removeStale(each)).toHaveLength(2)
  expect(existsSync(join(scratch.root, 'dist/gone.js'))).toBe(false)
  expect(existsSync(join(scratch.root, 'dist/module.js'))).toBe(true)
})

it('leaves the files of a site, which have no source of the same name', () => {
  using scratch = scratchFolder({ 'dist/site/theme.js': 'theme', 'dist/site/assets/page.js': 'page' })
  const each = { folder: scratch.root, manifest: { name: 'each', version: '1.0.0' } }
  expect(removeStale(each)).toEqual([])
  expect(annotatePackage(each)).toEqual([])
  expect(readFileSync(join(scratch.root, 'dist/site/theme.js'), 'utf8')).toBe('theme')
})

it('copies SQL files next to the built modules and removes the ones whose source is gone', () => {
  using scratch = scratchFolder({ 'src/ledger/functions/first.sql': 'select 1', 'dist/gone.sql': '' })
  const each = { folder: scratch.root, manifest: { name: 'each', version: '1.0.0' } }
  removeStale(each)
  copySqlFiles(each)
  expect(existsSync(join(scratch.root, 'dist/gone.sql'))).toBe(false)
  expect(readFileSync(join(scratch.root, 'dist/ledger/functions/first.sql'), 'utf8')).toBe('select 1')
  expect(removeStale(each)).toEqual([])
})
