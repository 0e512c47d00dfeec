import { expect, it } from 'vitest'
import { OptionsError } from './options.ts'
import type { Section } from './section.ts'
import { selectSections } from './select-sections.ts'

function createSection(name: string, problem?: string): Section {
  return {
    name,
    title: name,
    findProblem: () => problem,
    measure: () => Promise.reject(new Error('not measured')),
  }
}

const lists = createSection('lists')
const page = createSection('console', 'needs Chromium')
const client: Section = { ...createSection('client'), findProblem: undefined }
const all = [client, lists, page]
const names = all.map(({ name }) => name)

it('leaves out what the machine cannot measure, and says why', () => {
  expect(selectSections(all, { sections: names, isNamed: false })).toEqual({
    selected: [client, lists],
    leftOut: ['The section console needs Chromium'],
  })
})

it('refuses a named section that the machine cannot measure, before it measures others', () => {
  const select = () => selectSections(all, { sections: ['lists', 'console'], isNamed: true })
  expect(select).toThrow(OptionsError)
  expect(select).toThrow('The section console needs Chromium')
})

it('asks only the selected sections', () => {
  expect(selectSections(all, { sections: ['lists'], isNamed: true })).toEqual({
    selected: [lists],
    leftOut: [],
  })
})
