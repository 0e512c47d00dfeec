import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { run } from '../../tools/run.ts'
import { repositoryRoot } from '../../tools/workspace.ts'

const SERVERS = ['gateway', 'facilitator'] as const
type Server = (typeof SERVERS)[number]

/** A server's command in a document. */
interface DocumentedCommand {
  /** The document's line, from 1. */
  readonly line: number
  readonly server: Server
  /** The words after the server's name, without comments. */
  readonly words: readonly string[]
}

const COMMAND = /npx @mintmark\/(gateway|facilitator)-server(?:@latest)?\s+([^`\n]*)/g

function findCommands(text: string): DocumentedCommand[] {
  return text.split('\n').flatMap((content, index) =>
    [...content.matchAll(COMMAND)].map(([, server, parameters = '']) => ({
      line: index + 1,
      server: server as Server,
      // Quoted text is one word, with any content.
      words: parameters.replace(/\s#.*$/, '').match(/"[^"]*"|\S+/g) ?? [],
    })),
  )
}

/** Compares a command with its server's `--help`. Returns undefined when it is correct. */
function findCommandProblem({ words, server }: DocumentedCommand): string | undefined {
  const usages = [...helps[server].matchAll(/^ {2}mintmark-\w+ (.*)$/gm)].map(([, usage = '']) => usage)
  const usage = usages.find((each) => {
    const [name = ''] = each.split(/ (?=[<[-])/)
    return words.slice(0, name.split(' ').length).join(' ') === name
  })
  if (usage === undefined) return `there is no command ${words.slice(0, 2).join(' ')}`
  const given = words.filter((word) => word.startsWith('--'))
  const unknown = given.find((option) => !usage.includes(`${option} <`))
  if (unknown !== undefined) return `there is no ${unknown}`
  const optional = [...usage.matchAll(/\[(--[\w-]+)/g)].map(([, option]) => option)
  const all = [...usage.matchAll(/--[\w-]+/g)].map(([option]) => option)
  const missing = all.find((option) => !optional.includes(option) && !given.includes(option))
  return missing === undefined ? undefined : `${missing} is missing`
}

const helps: Record<Server, string> = { gateway: '', facilitator: '' }
beforeAll(async () => {
  for (const server of SERVERS) {
    const cli = join('packages', `${server}-server`, 'src', 'cli.ts')
    const parameters = ['--conditions=@mintmark/source', cli, '--help']
    helps[server] = await run(process.execPath, parameters, { cwd: repositoryRoot })
  }
})

it('the commands of the servers in documents exist with these options', () => {
  const documents = globSync(['README.md', 'docs/**/*.md', 'packages/*/README.md'], {
    cwd: repositoryRoot,
    exclude: ['docs/node_modules/**'],
  })
  const commands = documents.flatMap((document) =>
    findCommands(readFileSync(join(repositoryRoot, document), 'utf8')).map((command) => ({
      document,
      command,
    })),
  )
  expect(commands.length).toBeGreaterThan(20)
  const problems = commands.flatMap(({ document, command }) => {
    const problem = findCommandProblem(command)
    return problem === undefined ? [] : [`${document}:${command.line} ${problem}`]
  })
  expect(problems).toEqual([])
})

it.each([
  ['npx @mintmark/gateway-server keys make --project shop', 'there is no command keys make'],
  ['npx @mintmark/gateway-server keys create --projekt shop', 'there is no --projekt'],
  ['npx @mintmark/gateway-server keys create # --project', '--project is missing'],
  ['HOST=:: npx @mintmark/gateway-server@latest serve', undefined],
  ['npx @mintmark/facilitator-server accounts credit 1 --amount 1 --actor me --reason "a --b"', undefined],
])("the servers' commands in documents are checked against --help: %s", (line, problem) => {
  expect(findCommands(line).map(findCommandProblem)).toEqual([problem])
})
