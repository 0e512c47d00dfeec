import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../../tools/workspace.ts'
import { type Block, listCodeBlocks, readCodeBlocks } from '../site/blocks.ts'

// The core packages' examples are run, not only compiled, by a test of their own; the reference repeats those
// of the pages of docs/.
const documents = globSync(['README.md', 'packages/*/README.md', 'docs/**/*.md'], {
  cwd: repositoryRoot,
  exclude: ['docs/reference/**', 'docs/node_modules/**'],
}).filter((document) => !existsSync(join(repositoryRoot, document, '..', 'src', 'readme.test.ts')))

/** Blocks of one document may import the same name. */
const DUPLICATE_IDENTIFIER = 2300

/** A module that is compiled. Its lines have the numbers of the document's. */
interface Module {
  readonly document: string
  readonly code: string
}

/** Joins blocks, each at its own lines: a later block may use what an earlier one created. */
function toModule(document: string, blocks: readonly Block[]): Module {
  const lines: string[] = []
  for (const { line, code } of blocks) {
    lines.length = Math.max(lines.length, line - 1)
    lines.push(...code.split('\n'))
  }
  return { document, code: `${Array.from(lines, (line) => line ?? '').join('\n')}\nexport {}\n` }
}

/** The pages of docs/ are programs, and compile as such. */
function toModules(document: string, blocks: readonly Block[]): Module[] {
  if (document.startsWith('docs/')) return [toModule(document, blocks)]
  return blocks.map((block) => toModule(document, [block]))
}

const folder = join(repositoryRoot, 'docs', 'node_modules', '.cache', 'mintmark-readme')

/** Compiles modules. Returns the type errors as `document:line message`. */
function findProblems(modules: readonly Module[]): string[] {
  const { config } = ts.readConfigFile(join(repositoryRoot, 'tsconfig.tests.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, repositoryRoot)
  // NestJS has decorators of parameters.
  const decorators = { experimentalDecorators: true }
  Object.assign(options, {
    ...decorators,
    incremental: false,
    tsBuildInfoFile: undefined,
    noUnusedLocals: false,
  })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const paths = modules.map((_, index) => join(folder, `${index}.ts`))
  for (const [index, { code }] of modules.entries()) writeFileSync(paths[index] ?? '', code)
  const program = ts.createProgram([...paths, join(import.meta.dirname, 'given.d.ts')], options)
  return modules.flatMap(({ document }, index) => {
    const source = program.getSourceFile(paths[index] ?? '')
    if (source === undefined) throw new Error(`${document} was not compiled`)
    const imports = source.statements.filter(ts.isImportDeclaration)
    const diagnostics = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]
    return diagnostics.flatMap(({ start = 0, code, messageText }) => {
      const isImport = imports.some(({ pos, end }) => pos <= start && start < end)
      if (code === DUPLICATE_IDENTIFIER && isImport) return []
      const line = source.getLineAndCharacterOfPosition(start).line + 1
      return [`${document}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`]
    })
  })
}

const modules = documents.flatMap((document) =>
  toModules(document, readCodeBlocks(join(repositoryRoot, document))),
)

const wrongText = '# x\n\n```ts\nconst right = 1\nconst wrong: string = right\n```\n'

const toBlock = (code: string) =>
  `Text.\n\n\`\`\`ts\nimport { walletInfo } from '@mintmark/wallet'\n\n${code}\n\`\`\`\n\n`
const wrongPage =
  toBlock('const { get } = walletInfo') +
  toBlock('const wrong: string = get') +
  toBlock('console.log(typeof get)')

describe('TypeScript blocks of documents', () => {
  // All are compiled at once, because each compilation reads the sources of every package.
  let problems: readonly string[]
  beforeAll(() => {
    problems = findProblems([
      ...modules,
      ...toModules('wrong.md', listCodeBlocks(wrongText)),
      ...toModules('docs/wrong.md', listCodeBlocks(wrongPage)),
    ])
  })

  it('compile in every document', () => {
    expect(modules.length).toBeGreaterThan(5)
    expect(problems.filter((problem) => !/^(?:docs\/)?wrong\.md:/.test(problem))).toEqual([])
  })

  it('TypeScript blocks of documents are reported by document and line if they do not compile', () => {
    expect(problems.filter((problem) => problem.startsWith('wrong.md:'))).toEqual([
      "wrong.md:5 Type 'number' is not assignable to type 'string'.",
    ])
  })

  it('TypeScript blocks of documents of one page in docs/ are one program, and errors name the page’s lines', () => {
    expect(problems.filter((problem) => problem.startsWith('docs/wrong.md:'))).toEqual([
      expect.stringMatching(/^docs\/wrong\.md:14 /),
    ])
  })
})
