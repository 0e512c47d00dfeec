import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DeclaredError, Rule } from '@mintmark/operation'
import { expect, it } from 'vitest'
import operations from '../../tools/operations/operations.json' with { type: 'json' }
import { repositoryRoot } from '../../tools/workspace.ts'

const packages = [...new Set(operations.map((row) => row.package))].sort()

/** Formats a rule with its code. Rules of the facilitator have none, so that a README shows their status. */
const formatRule = ({ reason, code, status }: Rule): string => `${reason} ${code ?? status}`

/** The rules that a package's operations declare, sorted. */
async function listDeclaredRules(name: string): Promise<string[]> {
  const folder = join(repositoryRoot, 'packages', name)
  const main: Readonly<Record<string, object>> = await import(join(folder, 'src/index.ts'))
  const members: unknown[] = Object.values(main).flatMap((group) => Object.values(group))
  const declared = members.flatMap((member) =>
    typeof member === 'function' && 'errors' in member ? (member.errors as readonly DeclaredError[]) : [],
  )
  return [...new Set(declared.flatMap((error) => ('reason' in error ? formatRule(error) : [])))].sort()
}

/**
 * The rules in a README's table, sorted. A row has reasons in its first cell, and their numbers in the
 * second.
 */
function listDocumentedRules(text: string): string[] {
  const [, table = ''] = /^\| (?:rule|reason) \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(text) ?? []
  const rows = table.split('\n').filter((row) => row !== '')
  const rules = rows.flatMap((row) => {
    const [, first = '', second = ''] = row.split('|')
    const reasons = first.replace(/:.*/, '').match(/\w+/g) ?? []
    const numbers = second.match(/\d+/g) ?? []
    if (reasons.length !== numbers.length) throw new Error(`Reasons and numbers do not match: ${row}`)
    return reasons.map((reason, index) => `${reason} ${numbers[index]}`)
  })
  return rules.sort()
}

it.each(packages)('packages/%s/README.md has each rule of the operations, with its code', async (name) => {
  const readme = readFileSync(join(repositoryRoot, 'packages', name, 'README.md'), 'utf8')
  expect(listDocumentedRules(readme)).toEqual(await listDeclaredRules(name))
})

it('the rules in READMEs are read from rows with one rule and with several', () => {
  const table =
    '| rule | code |\n|---|---|\n| `SOLD`: not a `TABLE` | 40901 |\n| `ONE`, `TWO`: of others | 40302, 40303 |\n\nText.\n'
  expect(listDocumentedRules(table)).toEqual(['ONE 40302', 'SOLD 40901', 'TWO 40303'])
  expect(() => listDocumentedRules(table.replace(', 40303', ''))).toThrow('`TWO`')
})
