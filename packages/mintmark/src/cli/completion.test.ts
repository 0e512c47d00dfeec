import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { runCommand } from './testing/run-command.ts'

const run = promisify(execFile)

async function complete(...words: string[]): Promise<string[]> {
  const { output } = await runCommand(['complete', '--', ...words])
  return output.split('\n').slice(0, -1)
}

it('mintmark complete lists groups, commands, flags and choices', async () => {
  expect(await complete('promo')).toEqual(['promo-code-cards', 'promo-codes'])
  expect(await complete('promo-codes', 'create')).toEqual(['create', 'create-batch', 'create-verification'])
  expect(await complete('promo-codes', 'create', '--name', 'x', '--nft')).toEqual([
    '--nft-address',
    '--nft-id',
  ])
  expect(await complete('promo-codes', 'search', '--status', 'EX')).toEqual(['EXHAUSTED', 'EXPIRED'])
  expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  expect(await complete('comp')).toEqual(['completion'])
})

it('mintmark complete lists nothing where a value or a file follows', async () => {
  expect(await complete('promo-codes', 'create', '--name', '')).toEqual([])
})

it.each(['bash', 'zsh', 'fish'])('mintmark completion prints a script for %s', async (shell) => {
  const { exitCode, output } = await runCommand(['completion', shell])
  expect(exitCode).toBe(0)
  expect(output).toContain('mintmark complete -- ')
})

it('mintmark completion lists the shells if none is named', async () => {
  const { exitCode, errors } = await runCommand(['completion'])
  expect(exitCode).toBe(2)
  expect(errors).toContain('Error: Name the shell: bash, zsh or fish\n')
})

it('mintmark completion prints a script that works in bash', async () => {
  const { output } = await runCommand(['completion', 'bash'])
  const program = 'mintmark() { local IFS=" "; printf "%s\\n" "$*" second; }'
  const words = 'COMP_WORDS=(mintmark promo-codes cr); COMP_CWORD=2; _mintmark'
  const { stdout } = await run('bash', [
    '-c',
    `${output}\n${program}\n${words}\nprintf '[%s]' "\${COMPREPLY[@]}"`,
  ])
  expect(stdout).toBe('[complete -- promo-codes cr][second]')
})

it('mintmark open prints the address where there is no browser', async () => {
  expect(await runCommand(['open', 'docs'])).toMatchObject({
    exitCode: 0,
    output: 'http://gateway.test/docs\n',
  })
  const { output } = await runCommand(['open', 'facilitator-docs'])
  expect(output).toBe('http://facilitator.test/docs\n')
  expect((await runCommand(['open', 'console'])).output).toBe('http://gateway.test/console/\n')
})

it('mintmark open opens the address in a browser on a terminal', async () => {
  const opened: string[] = []
  const openBrowser = async (url: string) => opened.push(url) > 0
  const { output } = await runCommand(['open', 'docs'], { isTerminal: true, openBrowser })
  expect([output, opened]).toEqual(['Opened http://gateway.test/docs\n', ['http://gateway.test/docs']])
})
