import type { ApiKey, AuditEntry, Person } from '@mintmark/admin'
import { describe, expect, it } from 'vitest'
import { auditTexts } from '../../texts/audit.ts'
import { formatKnownActor, listActorOptions } from './actors.ts'
import { listChanges, selectTelling } from './changes.ts'

const known = {
  people: [{ personId: 'p1', name: 'Olivia' } as Person],
  keys: [{ apiKey: 'mk_1', name: 'shop' } as ApiKey],
}

it.each([
  ['person:p1', 'Olivia'],
  ['key:mk_1', 'API key shop'],
  ['key:mk_2', 'API key mk_2'],
  ['server', 'the server'],
  ['robot:7', 'robot:7'],
])('the actor %s of a change is shown as %s', (actor, text) => {
  expect(formatKnownActor(actor, known)).toBe(text)
})

it('the actor of a change can be selected although it is neither a person nor a key of the project', () => {
  const values = listActorOptions(known, 'job:expire cards').map(({ value }) => value)
  expect(values).toEqual(['job:expire cards', 'person:p1', 'key:mk_1', 'server'])
})

it('the kinds of records have none that is in no entry: changes of a secret are in those of its API key', () => {
  expect(Object.keys(auditTexts.recordTypes)).not.toContain('api_key_secrets')
  expect(auditTexts.recordTypes).toHaveProperty('api_keys')
})

describe('the changes of an entry', () => {
  const changes: AuditEntry['changes'] = {
    name: { before: 'Free coffee', after: 'Free tea' },
    benefits: { before: null, after: ['Free entry'] },
    description: { before: '', after: 'New' },
    created_at: { before: 1, after: 2 },
  }

  it('the changes of an entry are listed by field, and an empty text is not shown as no value', () => {
    expect(listChanges({ changes })).toEqual([
      { field: 'benefits', before: 'null', after: '[\n "Free entry"\n]' },
      { field: 'created_at', before: '1', after: '2' },
      { field: 'description', before: '""', after: 'New' },
      { field: 'name', before: 'Free coffee', after: 'Free tea' },
    ])
    expect(listChanges({ changes: { name: { after: 'x' } } })).toEqual([
      { field: 'name', before: undefined, after: 'x' },
    ])
  })

  it.each([
    ['null', '"null"', null],
    ['true', '"true"', true],
    ['["a"]', '"[\\"a\\"]"', ['a']],
    ['""', '"\\"\\""', ''],
    [auditTexts.nothing, `"${auditTexts.nothing}"`, undefined],
    [' tea', '" tea"', 'tea'],
  ])('show the text %s with quotes, because it would look like another value', (text, shown, other) => {
    const [change] = listChanges({ changes: { name: { before: text, after: other } } })
    expect(change?.before).toBe(shown)
    expect(change?.after).not.toBe(shown)
  })

  it.each(['tea', 'nullable', '12', "Olivia's"])('show the text %s as it is', (text) => {
    expect(listChanges({ changes: { name: { after: text } } })[0]?.after).toBe(text)
  })

  it('the changes of an entry are summarized by the name first and without the time of the creation, unless nothing else changed', () => {
    const all = listChanges({ changes })
    expect(selectTelling(all, 9).map(({ field }) => field)).toEqual(['name', 'benefits', 'description'])
    expect(selectTelling(all.slice(1, 2), 2)).toEqual(all.slice(1, 2))
  })
})
