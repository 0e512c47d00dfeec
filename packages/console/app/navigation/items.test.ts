import { Role } from '@mintmark/admin'
import { expect, it } from 'vitest'
import { findFirstPath, listNavigation, navigation } from './items.ts'

const paths = (role: string) => listNavigation(role).flatMap(({ items }) => items.map(({ path }) => path))

it('the navigation has an own letter and an own address for every page', () => {
  const items = navigation.flatMap((group) => group.items)
  const letters = items.map(({ letter }) => letter).filter((letter) => letter !== undefined)
  expect(new Set(letters).size).toBe(letters.length)
  expect(new Set(items.map(({ path }) => path)).size).toBe(items.length)
})

it.each(Object.values(Role))('the navigation has at most four pages on the bar of phones for %s', (role) => {
  const onBar = listNavigation(role).flatMap(({ items }) => items.filter((item) => item.isOnPhoneBar))
  expect(onBar.length).toBeLessThanOrEqual(4)
})

it('the navigation leaves out pages that the role may not open', () => {
  expect(paths(Role.OWNER)).toContain('keys')
  expect(paths(Role.MANAGER)).not.toContain('keys')
  expect(paths(Role.STAFF)).not.toContain('orders')
})

it('the navigation begins with the first page that the role may open', () => {
  expect(findFirstPath(Role.OWNER)).toBe(paths(Role.OWNER)[0])
  expect(findFirstPath('CURATOR')).toBeUndefined()
})
