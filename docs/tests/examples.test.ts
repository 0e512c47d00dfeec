import { execFile } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import * as operatorInterface from '@mintmark/facilitator/operator'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { formatFirstProgram } from '../../packages/sandbox/src/first-program.ts'
import operations from '../../tools/operations/operations.json' with { type: 'json' }
import { repositoryRoot } from '../../tools/workspace.ts'
import { listCodeBlocks, listPrintedTexts, readCodeBlocks } from '../site/blocks.ts'
import { programOf } from './program.ts'
import { type Given, metricsToken, startServers } from './servers.ts'

/** The packages with a document that shows each of their operations. */
const packages = [...new Set(operations.map((row) => row.package))].sort()
/** The guides that programs follow; those that only operators read have no TypeScript. */
const guides = globSync('docs/guides/*.md', { cwd: repositoryRoot })
  .filter((path) => readCodeBlocks(join(repositoryRoot, path)).some((block) => block.run))
  .map((path) => basename(path, '.md'))
const readmes = [
  ...['README.md', 'docs/index.md', 'packages/seller/README.md'],
  ...packages.map((name) => `packages/${name}/README.md`),
]
// Programs are below the node_modules of docs, so that they find the packages of both.
const root = join(repositoryRoot, 'docs', 'node_modules', '.cache', 'mintmark-examples')
const run = promisify(execFile)

const stops = new AsyncDisposableStack()
let prepare: Awaited<ReturnType<typeof startServers>>
beforeAll(async () => {
  prepare = await startServers(stops)
})
afterAll(() => stops.disposeAsync())

/**
 * Runs a program in a folder of its own. Returns what it printed and the operations that it called.
 *
 * @param otherwise Overrides of the given values.
 */
async function runProgram(name: string, code: string, otherwise = (_: Given): Partial<Given> => ({})) {
  const { given, credentials } = await prepare(name)
  const folder = join(root, name)
  mkdirSync(join(folder, '.mintmark'), { recursive: true })
  writeFileSync(join(folder, '.mintmark', 'credentials.json'), JSON.stringify(credentials))
  const calledFile = join(folder, 'called.json')
  const prelude = pathToFileURL(join(import.meta.dirname, 'prelude.ts')).href
  writeFileSync(join(folder, 'program.mjs'), `import ${JSON.stringify(prelude)}\n${code}`)
  const running = run(process.execPath, ['--conditions=@mintmark/source', 'program.mjs'], {
    cwd: folder,
    env: {
      ...process.env,
      // Programs of the guides read their settings from these.
      MINTMARK_GATEWAY_URL: credentials.gateway.baseUrl,
      MINTMARK_API_KEY: credentials.gateway.apiKey,
      MINTMARK_SECRET: credentials.gateway.secret,
      EXAMPLES_GIVEN: JSON.stringify({ ...given, ...otherwise(given), calledFile }),
    },
  })
  // A program that hangs ends with its test.
  onTestFinished(() => void running.child.kill('SIGKILL'))
  const { stdout } = await running
  return { stdout, called: JSON.parse(readFileSync(calledFile, 'utf8')) as string[] }
}

/**
 * Expects the text blocks of a document in what its program printed: whole lines, each block after the one
 * before, because `true` is also the end of other lines.
 */
function expectPrinted(stdout: string, text: string): void {
  let rest = `\n${stdout}`
  for (const printed of listPrintedTexts(text)) {
    expect(rest).toContain(`\n${printed}`)
    rest = rest.slice(rest.indexOf(`\n${printed}`) + printed.length)
  }
}

it('the program that the sandbox prints calls both servers', async () => {
  const { stdout } = await runProgram('first-program', formatFirstProgram('.mintmark/credentials.json'))
  expect(stdout).toContain('totalRow:')
  expect(stdout).toContain('paymentKinds:')
})

describe('examples in documents', () => {
  it.each(packages)('docs/%s.md runs and calls every operation of the package', async (name) => {
    const blocks = readCodeBlocks(join(repositoryRoot, 'docs', `${name}.md`))
    const { called } = await runProgram(name, programOf(blocks))
    const all = operations.filter((row) => row.package === name).map(({ id }) => id)
    expect(all.filter((id) => !called.includes(id))).toEqual([])
  })

  it('docs/facilitator-operator.md runs, prints its text blocks and calls every operation of the interface', async () => {
    const path = join(repositoryRoot, 'docs', 'facilitator-operator.md')
    const { stdout, called } = await runProgram('facilitator-operator', programOf(readCodeBlocks(path)))
    const all = Object.values(operatorInterface)
      .flatMap((group) => Object.values<unknown>(group))
      .flatMap((member) => (typeof member === 'function' && 'id' in member ? [member.id] : []))
    expect(all.length).toBeGreaterThan(15)
    expect(all.filter((id) => !called.includes(String(id)))).toEqual([])
    expectPrinted(stdout, readFileSync(path, 'utf8'))
  })

  it.each(guides)('docs/guides/%s.md runs and prints its text blocks', async (name) => {
    const text = readFileSync(join(repositoryRoot, 'docs', 'guides', `${name}.md`), 'utf8')
    const { stdout } = await runProgram(name, programOf(listCodeBlocks(text)))
    expectPrinted(stdout, text)
  })

  it.each(readmes)('%s runs', async (path) => {
    const program = programOf(readCodeBlocks(join(repositoryRoot, path)))
    // Its examples make the one client of the package.
    const facilitators = ({ facilitatorUrl }: Given) => ({ baseUrl: facilitatorUrl })
    const otherwise = path.includes('/facilitator/') ? facilitators : undefined
    const { stdout } = await runProgram(path.replaceAll('/', '-'), program, otherwise)
    expect(stdout).not.toBe('')
  })

  it('running-the-servers.md names only metrics that the servers have', async () => {
    const text = readFileSync(join(repositoryRoot, 'docs', 'guides', 'running-the-servers.md'), 'utf8')
    const named = new Set(text.match(/mintmark_(?:gateway|facilitator)_[a-z]\w*(?=[{`])/g))
    const { given } = await prepare('metrics')
    const answers = await Promise.all(
      [given.baseUrl, given.facilitatorUrl].map(async (url) => {
        const headers = { authorization: `Bearer ${metricsToken}` }
        return (await fetch(`${url}/metrics`, { headers })).text()
      }),
    )
    const known = new Set(answers.join('\n').match(/(?<=^# TYPE )\w+/gm))
    expect(named.size).toBeGreaterThan(5)
    expect([...named].filter((name) => !known.has(name))).toEqual([])
  })

  it('a failing example fails its program', async () => {
    const text =
      "```ts\nimport { walletInfo } from '@mintmark/wallet'\nawait walletInfo.get(gateway, { address: hash.slice(0, 42) })\n```\n"
    await expect(runProgram('failing', programOf(listCodeBlocks(text)))).rejects.toThrow(/NotFound/)
    const fine = `${text.replace('hash.slice(0, 42)', 'buyer')}\n${text.replace('hash.slice(0, 42)', 'creator')}`
    expect((await runProgram('fine', programOf(listCodeBlocks(fine)))).called).toEqual(['walletInfo.get'])
  })

  it('leaves out blocks that are marked as no-run', () => {
    const program = programOf(listCodeBlocks('```ts\nrun()\n```\n\n```ts no-run\nleave()\n```\n'))
    expect(program).toContain('run()')
    expect(program).not.toContain('leave()')
  })
})
