// Builds the documentation site into docs/.vitepress/dist: `nx run mintmark-repository:build-docs`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../../tools/workspace.ts'
import { findDeadLinks } from './dead-links.ts'
import { referencePages } from './reference/pages.ts'

const docs = join(repositoryRoot, 'docs')
const outDir = join(docs, '.vitepress/dist')

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

// VitePress indexes files for its search, so the reference is written before it starts. Git ignores it.
const { pages, problems, groups } = await referencePages(repositoryRoot)
if (problems.length > 0) throw new Error(problems.join('\n'))
rmSync(join(docs, 'reference'), { recursive: true, force: true })
for (const [page, text] of pages) write(join(docs, 'reference', page), text)

// These modules list the pages when they are loaded.
const { readPages } = await import('./pages.ts')
const { llmsText } = await import('./llms.ts')
const { build } = await import('vitepress')

await build(docs)
const texts = readPages()
write(join(outDir, 'llms.txt'), llmsText(texts, groups))
write(join(outDir, 'llms-full.txt'), [...texts.values()].map((text) => text.trim()).join('\n\n---\n\n'))
const dead = findDeadLinks(outDir)
if (dead.length > 0) throw new Error(`Links to files or headings that do not exist:\n${dead.join('\n')}`)
