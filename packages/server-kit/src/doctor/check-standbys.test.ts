import { describe, expect, it } from 'vitest'
import { describeStandbys, type Replication } from './check-standbys.ts'

const replication: Replication = { synchronousNames: 'one', synchronousCommit: 'on', standbys: [] }
const describeLevels = (changes: Partial<Replication>) =>
  describeStandbys({ ...replication, ...changes }).map(({ level, message }) => [level, message])

describe('the check of standbys', () => {
  it('reports nothing without standbys', () => {
    expect(describeLevels({ synchronousNames: '' })).toEqual([])
  })

  it.each(['sync', 'quorum', 'potential'])('accepts a standby whose state is %s', (syncState) => {
    expect(describeLevels({ standbys: [{ name: 'one', syncState }] })).toEqual([
      ['ok', 'The standbys are synchronous: one'],
    ])
  })

  it('warns about each standby that is not synchronous, beside one that is', () => {
    const standbys = [
      { name: 'one', syncState: 'sync' },
      { name: 'two', syncState: 'async' },
    ]
    expect(describeLevels({ standbys })).toEqual([
      ['warning', expect.stringContaining('not synchronous (two)')],
    ])
  })

  it.each(['local', 'off'])('warns about a synchronous standby for which no commit waits (%s)', (value) => {
    const standbys = [{ name: 'one', syncState: 'sync' }]
    expect(describeLevels({ standbys, synchronousCommit: value })).toEqual([
      ['warning', expect.stringContaining(`synchronous_commit is ${value}`)],
    ])
  })

  it('warns when the user may not see the state, unless no standby can be synchronous', () => {
    const standbys = [{ name: 'pid 7', syncState: null }]
    expect(describeLevels({ standbys })).toEqual([['warning', expect.stringContaining('may not see')]])
    expect(describeLevels({ standbys, synchronousNames: '' })).toEqual([
      ['warning', expect.stringContaining('not synchronous (pid 7)')],
    ])
  })
})
