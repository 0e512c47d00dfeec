import { expect, it } from 'vitest'
import { compareRoutes, findAmbiguousRoutes } from './routing.ts'

const routes = (...paths: string[]) => paths.map((path) => ({ id: path, method: 'GET' as const, path }))

it('compareRoutes orders a literal segment before a parameter at the first difference of two paths', () => {
  const paths = ['/a/{id}', '/{x}/b', '/a/{id}/c', '/a/list', '/a/{id}/{y}', '/a/list/{y}', '/a/list/c', '/a']
  for (const shuffled of [paths, paths.toReversed(), paths.toSorted()]) {
    const sorted = routes(...shuffled)
      .sort(compareRoutes)
      .map(({ path }) => path)
    expect(sorted.indexOf('/a/list')).toBeLessThan(sorted.indexOf('/a/{id}'))
    expect(sorted.indexOf('/a/{id}')).toBeLessThan(sorted.indexOf('/{x}/b'))
    expect(sorted.indexOf('/a/list/c')).toBeLessThan(sorted.indexOf('/a/list/{y}'))
    expect(sorted.indexOf('/a/list/{y}')).toBeLessThan(sorted.indexOf('/a/{id}/c'))
    expect(sorted.indexOf('/a/{id}/c')).toBeLessThan(sorted.indexOf('/a/{id}/{y}'))
  }
})

it.each([
  ['two paths of one pattern', ['/a/{id}', '/a/{number}']],
  ['the same path twice', ['/a/b', '/a/b']],
  ['two paths that each have a literal where the other has a parameter', ['/a/{id}/list', '/a/all/{x}']],
])('findAmbiguousRoutes finds %s', (_, paths) => {
  expect(findAmbiguousRoutes(routes(...paths))).toEqual([paths])
})

it.each([
  ['a literal and a parameter', ['/a/{id}', '/a/list']],
  ['paths of different lengths', ['/a/{id}', '/a/{id}/b']],
  ['paths with different literals', ['/a/{id}/list', '/a/{id}/page', '/b/{id}/list']],
  ['a literal and two parameters', ['/a/{x}/{y}', '/a/b/{y}', '/a/b/c']],
])('findAmbiguousRoutes does not find %s', (_, paths) => {
  expect(findAmbiguousRoutes(routes(...paths))).toEqual([])
})

it('findAmbiguousRoutes does not find equal paths of two methods', () => {
  const [get] = routes('/a/{id}')
  if (!get) throw new Error('no route')
  expect(findAmbiguousRoutes([get, { ...get, method: 'DELETE' }])).toEqual([])
})
