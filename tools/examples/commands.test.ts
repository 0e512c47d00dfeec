import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../workspace.ts'
import { commandsOf, findQuotaProblem } from './commands.ts'

const documents = globSync(['README.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: repositoryRoot })

async function helpOf(server: string): Promise<string> {
  const cli = join(repositoryRoot, 'packages', `${server}-server`, 'src', 'cli.ts')
  const args = ['--conditions=@mintmark/source', cli, '--help']
  return (await promisify(execFile)(process.execPath, args)).stdout
}

let helps: Record<'gateway' | 'facilitator', string>
beforeAll(async () => {
  const [gateway, facilitator] = await Promise.all([helpOf('gateway'), helpOf('facilitator')])
  helps = { gateway, facilitator }
})

describe("the servers' commands", () => {
  it('the commands in the documents exist with these options', () => {
    const shown = documents.flatMap((document) =>
      commandsOf(readFileSync(join(repositoryRoot, document), 'utf8')).map((command) => ({
        document,
        command,
      })),
    )
    expect(shown.length).toBeGreaterThan(20)
    const problems = shown.flatMap(({ document, command }) => {
      const problem = findQuotaProblem(command, helps[command.server])
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
  ])('the documented options of a command are checked against its --help: %s', (line, problem) => {
    const [command] = commandsOf(line)
    expect(command && findQuotaProblem(command, helps[command.server])).toBe(problem)
    expect(command).toBeDefined()
  })
})
