import { describe, expect, it } from 'vitest'
import { compareRoutes, findAmbiguousRoutes } from './routing.ts'

const routes = (...paths: string[]) => paths.map((path) => ({ id: path, method: 'GET' as const, path }))

describe('routes', () => {
  it('are tried with the literal segment first, wherever two differ', () => {
    const paths = [
      '/a/{id}',
      '/{x}/b',
      '/a/{id}/c',
      '/a/list',
      '/a/{id}/{y}',
      '/a/list/{y}',
      '/a/list/c',
      '/a',
    ]
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
    ['two of one pattern', ['/a/{id}', '/a/{number}']],
    ['the same path twice', ['/a/b', '/a/b']],
    ['two of which each is the more literal one somewhere', ['/a/{id}/list', '/a/all/{x}']],
  ])('are ambiguous: %s', (_, paths) => {
    expect(findAmbiguousRoutes(routes(...paths))).toEqual([paths])
  })

  it.each([
    ['a literal and a parameter', ['/a/{id}', '/a/list']],
    ['another length', ['/a/{id}', '/a/{id}/b']],
    ['other literals', ['/a/{id}/list', '/a/{id}/page', '/b/{id}/list']],
    ['a literal beside two parameters', ['/a/{x}/{y}', '/a/b/{y}', '/a/b/c']],
  ])('are not: %s', (_, paths) => {
    expect(findAmbiguousRoutes(routes(...paths))).toEqual([])
  })

  it('of two methods do not meet', () => {
    const [get] = routes('/a/{id}')
    if (!get) throw new Error('no route')
    expect(findAmbiguousRoutes([get, { ...get, method: 'DELETE' }])).toEqual([])
  })
})
