import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import MagicString from 'magic-string'
import { rollup } from 'rollup'
import { afterAll, describe, expect, it } from 'vitest'
import { purityOf } from './pure.ts'

const folder = mkdtempSync(join(tmpdir(), 'mintmark-pure-'))
afterAll(() => rmSync(folder, { recursive: true }))

const library = `
  export function make(x) { console.log('made', x); return { entries: {}, with() { return make(x) } } }
  export const wrap = (x) => { console.log(x); return x }
  export class Base extends Error {}
`

function marked(code: string): string {
  const { edits, problems } = purityOf(code)
  expect(problems).toEqual([])
  const annotated = new MagicString(code)
  for (const { at, text } of edits) annotated.appendLeft(at, text)
  return annotated.toString()
}

/** What is left of a module of which only `used` is used, by each bundler. */
async function shaken(declarations: string): Promise<Record<string, string>> {
  writeFileSync(join(folder, 'library.js'), library)
  const head = `import * as l from './library.js'\nimport { make, wrap, Base } from './library.js'\n`
  writeFileSync(join(folder, 'module.js'), marked(`${head}export const used = 'used'\n${declarations}\n`))
  writeFileSync(join(folder, 'program.js'), `import { used } from './module.js'\nconsole.log(used)\n`)
  const entry = join(folder, 'program.js')
  const built = await build({ entryPoints: [entry], bundle: true, write: false, format: 'esm' })
  const bundle = await rollup({ input: entry })
  const { output } = await bundle.generate({ format: 'es' })
  return { esbuild: built.outputFiles.map(({ text }) => text).join(''), rollup: output[0].code }
}

describe('marking what a module does at the top level', () => {
  it.each([
    ['a call', `export const other = make('other')`],
    ['a call of a namespace', `export const other = l.make('other')`],
    [
      'calls in the arguments of a call',
      `export const other = make({ a: l.wrap('other'), b: [wrap(l.wrap(1))] })`,
    ],
    ['a chain of calls', `export const other = make('other').with().with()`],
    ['a property of a call', `export const other = make('other').entries`],
    ['a property of another value', `const a = make(1); export const other = make(a.entries, 'other')`],
    [
      'a spread of another record',
      `const a = make(1); export const other = make({ ...a.entries, x: 'other' })`,
    ],
    ['a spread of a list', `export const other = make([...wrap(['other'])])`],
    ['a template', `export const other = make(\`other\${used}\`)`],
    ['a sum of texts', `export const other = used + 'other'`],
    ['a computed name', `export const other = make({ [used]: 'other' })`],
    ['a new object', `export const other = new Map([['other', make(1)]])`],
    ['a class that extends another', `export class Other extends Base { kind = 'other' }`],
    ['a class with a static field', `export class Other extends Base { static made = make('other') }`],
    ['a class with a computed member', `const b = Symbol.for('other'); export class Other { [b] = true }`],
    ['a class of a computed parent', `export class Other extends make('other') {}`],
    ['a static block', `export class Other { static { this.x = 'other' } }`],
  ])('makes both bundlers drop %s', async (_name, declarations) => {
    const left = await shaken(declarations)
    expect(left.esbuild).toContain('used')
    expect(left.rollup).toContain('used')
    expect(left.esbuild).not.toMatch(/other/i)
    expect(left.rollup).not.toMatch(/other/i)
  })

  it('finds nothing to do the second time', () => {
    const once = marked(`
      import { make, used } from './library.js'
      export const a = make({ b: make(1), ...used })
      export const b = new Map([[make(1), make(2)]])
      export class C { static d = make(1) }
    `)
    expect(purityOf(once).edits).toEqual([])
  })

  it('leaves the bodies of functions alone', () => {
    expect(purityOf(`export const f = () => make(1)\nexport function g() { return make(2) }`).edits).toEqual(
      [],
    )
  })

  it.each([
    ['Object.freeze(thing)', '1: does something while the module loads'],
    ['const a = 1\nif (a) b()', '2: does something while the module loads'],
    ['export const { a } = make()', '1: takes a value apart'],
    ['export const a = await make()', '1: waits while the module loads'],
    ['export default class { static a = make() }', '1: a class without a name'],
  ])('reports a statement that no annotation can fix: %s', (code, problem) => {
    expect(purityOf(code).problems).toEqual([expect.stringContaining(problem)])
  })
})
