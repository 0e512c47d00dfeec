import { expect, it } from 'vitest'
import { scratchFolder } from '../../tools/scratch-folder.ts'
import { findDeadLinks } from './dead-links.ts'

it('finds links of a built site to pages and headings that do not exist', () => {
  const links = (...targets: readonly string[]) =>
    targets.map((href) => `<a class="link" href="${href}">link</a>`).join('')
  const alive = ['#here', '/other.html#there', 'other.html', '/', 'https://example.com/#any']
  using site = scratchFolder({
    'index.html': `<h2 id="here">Here</h2>${links(...alive, '#gone')}`,
    'other.html': `<h2 id="there">There</h2>${links('/missing.html', 'index.html#there')}`,
  })
  expect(findDeadLinks(site.root).toSorted()).toEqual([
    'index.html: #gone',
    'other.html: /missing.html',
    'other.html: index.html#there',
  ])
})
