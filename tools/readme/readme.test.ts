import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../workspace.ts'
import { type Block, blocksOf, blocksOfFile } from './blocks.ts'

// The core packages' examples are run, not only compiled, by a test of their own.
const documents = [
  'README.md',
  ...globSync(['packages/*/README.md', 'docs/**/*.md'], { cwd: repositoryRoot }),
].filter((document) => !existsSync(join(repositoryRoot, document, '..', 'src', 'readme.test.ts')))

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
    return found.map(({ start = 0, messageText }) => {
      const line = block.line + (source?.getLineAndCharacterOfPosition(start).line ?? 0)
      return `${block.document}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
  })
}

describe("the documents' examples", () => {
  it('compile', { timeout: 120_000 }, () => {
    const blocks = documents.flatMap((document) =>
      blocksOfFile(join(repositoryRoot, document)).map((block) => ({ ...block, document })),
    )
    expect(blocks.length).toBeGreaterThan(5)
    expect(problemsOf(blocks)).toEqual([])
  })

  it('are found wrong by document and line', { timeout: 120_000 }, () => {
    const text = '# x\n\n```ts\nconst right = 1\nconst wrong: string = right\n```\n'
    const problems = problemsOf(blocksOf(text).map((block) => ({ ...block, document: 'README.md' })))
    expect(problems).toEqual(["README.md:5 Type 'number' is not assignable to type 'string'."])
  })
})
