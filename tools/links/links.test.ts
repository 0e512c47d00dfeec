import { describe, expect, it } from 'vitest'
import { describeProblem } from '../check/problem.ts'
import { scratchFolder } from '../scratch-folder.ts'
import { repositoryRoot } from '../workspace.ts'
import { checkLinks, externalProblem } from './check.ts'
import { linksOf } from './links.ts'

const targetsOf = (text: string) => linksOf(text).map(({ target }) => target)

describe('the links of a document', () => {
  it.each([
    ['a link', 'See [this](docs/a.md).', ['docs/a.md']],
    ['a link with a title', '[this](docs/a.md#b "A title")', ['docs/a.md#b']],
    ['two links of a line', '[a](a.md), [`b`](b.md)', ['a.md', 'b.md']],
    ['a picture that is a link', '[![picture](a.svg)](a.md)', ['a.svg', 'a.md']],
    ['parentheses in a target', '[a](https://example.com/a_(b))', ['https://example.com/a_(b)']],
    ['a definition', '[a]: ./a.md', ['./a.md']],
    ['HTML', '<a href="a.md">a</a> <img alt="" src="a.png">', ['a.md', 'a.png']],
    [
      'an address as it is',
      'at https://example.com/a, and <https://example.com/b>.',
      ['https://example.com/a', 'https://example.com/b'],
    ],
    ['an address that a link names', '[a](https://example.com/a)', ['https://example.com/a']],
    ['code', '`[a](a.md)` and ``[`b`](b.md)``', []],
    ['a block of code', '```md\n[a](a.md)\n```', []],
  ])('are found in %s', (_, text, targets) => {
    expect(targetsOf(text)).toEqual(targets)
  })

  it('are told with their lines', () => {
    expect(linksOf('one\n\n[a](a.md)\n')).toEqual([{ target: 'a.md', line: 3 }])
  })
})

describe('following links', () => {
  function problemsOf(text: string): readonly string[] {
    using scratch = scratchFolder({
      'docs/page.md': text,
      'docs/other.md': '# A heading\n\n<a id="by-hand"></a>\n',
      'docs/data.json': {},
      'dist/made.md': '',
    })
    return checkLinks(scratch.root).problems.map(describeProblem)
  }

  it.each([
    'other.md',
    './other.md#a-heading',
    '#here',
    'other.md#by-hand',
    '../docs',
    'data.json',
    'https://example.com/x',
  ])('has nothing to say of %s', (target) => {
    expect(problemsOf(`# Here\n\n[a](${target})\n`)).toEqual([])
  })

  it.each([
    ['', 'leads nowhere'],
    ['gone.md', 'leads to docs/gone.md, which does not exist'],
    ['other.md#gone', 'names #gone, which docs/other.md does not have'],
    ['#gone', 'names #gone, which docs/page.md does not have'],
    ['data.json#a', 'names a heading of docs/data.json, which has none'],
    ['../../elsewhere.md', 'leads out of the repository'],
    ['/docs/other.md', 'should be relative to its document'],
    ['../dist/made.md', 'leads to dist/made.md, which is not committed'],
    ['http://example.com', 'should be https'],
    ['https://mirror.example.com/x', 'names mirror.example.com, which not everybody reaches'],
  ])('refuses "%s": it %s', (target, problem) => {
    expect(problemsOf(`# Here\n\n[a](${target})\n`)).toEqual([
      `docs/page.md:3: ${target || 'a link'} ${problem}`,
    ])
  })

  it('lists the addresses elsewhere with the documents that name them', () => {
    using scratch = scratchFolder({ 'a.md': '[x](https://example.com)', 'llms.txt': 'https://example.com' })
    const { external, count } = checkLinks(scratch.root)
    expect([...external]).toEqual([['https://example.com', ['a.md', 'llms.txt']]])
    expect(count).toBe(2)
  })
})

describe('an address elsewhere', () => {
  it.each([
    'https://localhost/x',
    'https://10.0.0.1',
    'https://[::1]/',
    'https://gitea/x',
    'https://git.corp/x',
    'https://user:word@example.com',
  ])('such as %s is refused', (target) => {
    expect(externalProblem(target)).toBeDefined()
  })

  it.each(['https://www.x402.org', 'mailto:somebody@example.com'])('such as %s is let be', (target) => {
    expect(externalProblem(target)).toBeUndefined()
  })
})

it("the links of this repository's documents lead somewhere; `node tools/setup.mjs links` lists them", () => {
  const { problems, count } = checkLinks(repositoryRoot)
  expect(problems.map(describeProblem)).toEqual([])
  expect(count).toBeGreaterThan(100)
})
