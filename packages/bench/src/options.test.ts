import { expect, it } from 'vitest'
import { formatHelp, OptionsError, parseOptions } from './options.ts'

const NAMES = ['client', 'gateway', 'lists']

it('runs all sections without parameters', () => {
  expect(parseOptions([], NAMES)).toEqual({
    sections: NAMES,
    isNamed: false,
    quick: false,
    out: undefined,
    help: false,
  })
})

it('runs the named sections in their usual order', () => {
  expect(parseOptions(['lists', '--quick', 'client', 'lists'], NAMES)).toMatchObject({
    sections: ['client', 'lists'],
    isNamed: true,
    quick: true,
  })
})

it('runs a section that needs the registry only when it is named', () => {
  expect(parseOptions([], NAMES, ['ponder']).sections).toEqual(NAMES)
  expect(parseOptions(['ponder', 'client'], NAMES, ['ponder']).sections).toEqual(['client', 'ponder'])
})

it('reads where to write', () => {
  expect(parseOptions(['--out', 'report'], NAMES)).toMatchObject({ out: 'report' })
})

it.each([
  [['speed'], 'There is no section speed. Sections: client, gateway, lists'],
  [['--fast'], "Unknown option '--fast'"],
  [['--out='], '--out needs a path'],
])('refuses %j', (parameters, message) => {
  expect(() => parseOptions(parameters, NAMES)).toThrow(OptionsError)
  expect(() => parseOptions(parameters, NAMES)).toThrow(message)
})

it('documents every option and section in its help', () => {
  const help = formatHelp(NAMES)
  for (const text of ['client, gateway, lists', '--quick', '--out', '--help']) expect(help).toContain(text)
})
