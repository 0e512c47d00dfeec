import { join } from 'node:path'
import { build } from 'esbuild'
import MagicString from 'magic-string'
import { rollup } from 'rollup'
import { expect, it } from 'vitest'
import { scratchFolder } from '../scratch-folder.ts'
import { purityOf } from './pure.ts'

const library = `
  export function make(x) { console.log('made', x); return { entries: {}, with() { return make(x) } } }
  export class Base extends Error {}
`
const imports = `import * as l from './library.js'\nimport { make, Base } from './library.js'\n`

function annotate(code: string): string {
  const { edits, problems } = purityOf(code)
  expect(problems).toEqual([])
  const annotated = new MagicString(code)
  for (const { at, text } of edits) annotated.appendLeft(at, text)
  return annotated.toString()
}

it.each([
  [
    'calls in the arguments of a call',
    `export const other = make({ a: l.make('other'), b: [make(make(1))] })`,
  ],
  ['a chain of calls', `export const other = make('other').with().with()`],
  ['a property of another value', `const a = make(1); export const other = make(a.entries, 'other')`],
  [
    'a spread of another record',
    `const a = make(1); export const other = make({ ...a.entries, x: 'other' })`,
  ],
  ['a list without calls', `export const other = [...used, 'other']`],
  ['a template', `export const other = make(\`other\${used}\`)`],
  ['a sum of texts', `export const other = used + 'other'`],
  ['a computed name', `export const other = { [used]: 'other' }`],
  ['a new object', `export const other = new Map([['other', make(1)]])`],
  ['a constant', `export const other = { list: ['other', 1, true, null], f() { return make(1) } }`],
  ['a class that extends another', `export class Other extends Base { kind = 'other' }`],
  ['a class with a static field', `export class Other extends Base { static made = make('other') }`],
  ['a class with a computed member', `const b = Symbol.for('other'); export class Other { [b] = true }`],
  ['a class of a computed parent', `export class Other extends make('other') {}`],
  ['a static block', `export class Other { static { this.x = 'other' } }`],
])('makes both bundlers drop %s', async (_name, declarations) => {
  using scratch = scratchFolder({
    'library.js': library,
    'module.js': annotate(`${imports}export const used = 'used'\n${declarations}\n`),
    'program.js': `import { used } from './module.js'\nconsole.log(used)\n`,
  })
  const entry = join(scratch.root, 'program.js')
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, format: 'esm' })
  const bundle = await rollup({ input: entry })
  const { output } = await bundle.generate({ format: 'es' })
  for (const code of [outputFiles[0]?.text, output[0].code]) {
    expect(code).toContain('used')
    expect(code).not.toMatch(/other/i)
  }
})

it('adds nothing to annotated code and to the bodies of functions', () => {
  const once = annotate(`
    export const a = make({ b: make(1), ...used })
    export class C { static d = make(1) }
    export const f = () => make(1)
    export function g() { return make(2) }
  `)
  expect(once.match(/@__PURE__/g)).toHaveLength(2)
  expect(purityOf(once).edits).toEqual([])
})

it('adds nothing to annotated code whose source has a mark of its own', () => {
  const once = annotate('export const a = /* @__PURE__ */ make(/* @__PURE__ */ make(1))')
  expect(once.match(/\(\(\) =>/g)).toHaveLength(1)
  expect(purityOf(once).edits).toEqual([])
})

it.each([
  ['Object.freeze(thing)', '1: runs code while the module loads'],
  ['const a = 1\nif (a) b()', '2: runs code while the module loads'],
  ['export const { a } = make()', '1: takes a value apart'],
  ['export const a = await make()', '1: waits while the module loads'],
  ['export default class { static a = make() }', '1: a class without a name'],
])('reports a statement that no annotation can fix: %s', (code, problem) => {
  expect(purityOf(code).problems).toEqual([expect.stringContaining(problem)])
})
