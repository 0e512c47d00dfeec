import { expect, it } from 'vitest'
import { parseWhitelist } from './whitelist-lines.ts'

const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

it('the lines of a whitelist are addresses in any case, with a limit after any common separator', () => {
  const text = ['0xABCDEFabcdefABCDEFabcdefABCDEFabcdefABCD', `${address(1)},2`, `${address(2)};3`]
  const more = [`${address(3)}\t4`, `"${address(4)}","5"`, `${address(5)} 6`]
  const { entries, problems } = parseWhitelist([...text, ...more].join('\r\n'))
  expect(problems).toEqual([])
  expect(entries.map(({ limit }) => limit)).toEqual([undefined, '2', '3', '4', '5', '6'])
  expect(entries[0]?.address).toBe('0xabcdefabcdefabcdefabcdefabcdefabcdefabcd')
})

it('the lines of a whitelist skip a header, a byte order mark and empty lines, and still count them', () => {
  const { entries, problems } = parseWhitelist(`\uFEFFaddress,limit\n\n${address(1)}\nnobody`)
  expect(entries).toEqual([{ address: address(1) }])
  expect(problems).toMatchObject([{ line: 4, text: 'nobody' }])
})

it('the lines of a whitelist name what is wrong with each line', () => {
  const { entries, problems } = parseWhitelist(
    [address(1), '0x12', address(0), `${address(2)},many`, address(1).toUpperCase().replace('X', 'x')].join(
      '\n',
    ),
  )
  expect(entries).toHaveLength(1)
  expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5])
  expect(problems.at(-1)?.reason).toContain('line 1')
})
