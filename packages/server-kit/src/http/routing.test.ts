import { expect, it } from 'vitest'
import { compareRoutes } from './routing.ts'

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
