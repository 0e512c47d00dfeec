import { expect, it } from 'vitest'
import { findSimilarName } from './similar-names.ts'

const FIELDS = ['cardId', 'nftAddress', 'totalIssued', 'startTime', 'endTime', 'name']

it.each([
  ['nft adress', 'nftAddress'],
  ['totalissue', 'totalIssued'],
  ['id', 'cardId'],
  ['start', 'startTime'],
  ['nmae', 'name'],
  ['logo', undefined],
  ['x', undefined],
  ['', undefined],
])('for the name %j the similar field is %j', (given, expected) => {
  expect(findSimilarName(given, FIELDS)).toBe(expected)
})
