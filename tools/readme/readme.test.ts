import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../workspace.ts'
import { type Block, blocksOf, blocksOfFile } from './blocks.ts'

// The core packages' examples are run, not only compiled, by a test of their own; the reference repeats those of the pages of docs/.
const documents = [
  'README.md',
  ...globSync(['packages/*/README.md', 'docs/**/*.md'], {
    cwd: repositoryRoot,
    exclude: ['docs/reference/**'],
  }),
].filter((document) => !existsSync(join(repositoryRoot, document, '..', 'src', 'readme.test.ts')))

/** Blocks of one document may import the same name. */
const DUPLICATE_IDENTIFIER = 2300

/** Joins a document's blocks into one, each on its own lines: a later block may use what an earlier one created. */
function wholeOf(blocks: readonly Block[]): Block {
  let code = ''
  for (const block of blocks) code = `${code}${'\n'.repeat(block.line - linesOf(code))}${block.code}\n`
  return { code, line: 1, run: true }
}
const linesOf = (code: string) => code.split('\n').length

/** Type errors of documents' blocks, as `document:line message`. Each block is a module of its own beside its document. */
function problemsOf(blocks: readonly (Block & { document: string })[]): string[] {
  const config = ts.readConfigFile(join(repositoryRoot, 'tsconfig.tests.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, repositoryRoot)
  Object.assign(options, {
    noEmit: true,
    incremental: false,
    composite: false,
    tsBuildInfoFile: undefined,
    noUnusedLocals: false,
  })
  const files = new Map(
    blocks.map((block, index) => {
      const folder = join(repositoryRoot, block.document, '..')
      return [
        join(folder, `readme-block-${index}.ts`),
        { ...block, code: `${block.code}\nexport {}\n` },
      ] as const
    }),
  )
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists, getSourceFile } = host
  host.readFile = (path) => files.get(path)?.code ?? readFile(path)
  host.fileExists = (path) => files.has(path) || fileExists(path)
  host.getSourceFile = (path, language, ...rest) => {
    const own = files.get(path)
    return own ? ts.createSourceFile(path, own.code, language, true) : getSourceFile(path, language, ...rest)
  }
  const given = join(import.meta.dirname, 'given.d.ts')
  const program = ts.createProgram([...files.keys(), given], options, host)
  return [...files].flatMap(([path, block]) => {
    const source = program.getSourceFile(path)
    const found = [...program.getSemanticDiagnostics(source), ...program.getSyntacticDiagnostics(source)]
    const diagnostics = found.filter(({ start = 0, code }) => {
      const imported = source?.statements.some(
        (each) => ts.isImportDeclaration(each) && start < each.end && start >= each.pos,
      )
      return !(code === DUPLICATE_IDENTIFIER && imported)
    })
    return diagnostics.map(({ start = 0, messageText }) => {
      const line = block.line + (source?.getLineAndCharacterOfPosition(start).line ?? 0)
      return `${block.document}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
  })
}

describe('TypeScript blocks of documents', () => {
  it('compile in every document', { timeout: 120_000 }, () => {
    const blocks = documents.flatMap((document) => {
      const found = blocksOfFile(join(repositoryRoot, document))
      // The pages of docs/ are programs, and run as such.
      const modules = document.startsWith('docs/') ? [wholeOf(found)] : found
      return modules.map((block) => ({ ...block, document }))
    })
    expect(blocks.length).toBeGreaterThan(5)
    expect(problemsOf(blocks)).toEqual([])
  })

  it('are reported by document and line if they do not compile', { timeout: 120_000 }, () => {
    const text = '# x\n\n```ts\nconst right = 1\nconst wrong: string = right\n```\n'
    const problems = problemsOf(blocksOf(text).map((block) => ({ ...block, document: 'README.md' })))
    expect(problems).toEqual(["README.md:5 Type 'number' is not assignable to type 'string'."])
  })

  it('of one page in docs/ are one program, and errors name the page’s lines', { timeout: 120_000 }, () => {
    const block = (code: string) =>
      `Text.\n\n\`\`\`ts\nimport { walletInfo } from '@mintmark/wallet'\n\n${code}\n\`\`\`\n\n`
    const text =
      block('const { get } = walletInfo') +
      block('const wrong: string = get') +
      block('console.log(typeof get)')
    const problems = problemsOf([{ ...wholeOf(blocksOf(text)), document: 'docs/x.md' }])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^docs\/x\.md:14 /)
  })
})
