import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fill, introduction } from '../../docs/site/templates.ts'
import operations from '../operations/operations.json' with { type: 'json' }
import type { Descriptions } from './descriptions.ts'
import { replaceFile } from './outputs.ts'

/** The guides that a skill contains, each with what it is for. */
type Guides = Readonly<Record<string, string>>

const MINTMARK_GUIDES: Guides = {
  'first-call': 'from an empty folder to a first call',
  authentication: 'keys, scopes, signatures, clocks',
  'errors-and-retries': 'kinds of errors, retries, idempotency keys, unknown outcomes',
  paging: 'lists, orders, filters, cursors',
  'reacting-to-events': 'the feed of events',
  webhooks: 'receiving and verifying webhooks',
  'testing-with-the-sandbox': 'both servers in tests',
  'facilitator-with-x402': 'paid APIs with x402',
  'command-line': 'the command mintmark',
}
const MCP_GUIDES: Guides = {
  'agents-and-mcp': 'the server, its options and its tools',
  'errors-and-retries': 'kinds of errors and what to do',
}
/** The sections of the guide that an agent needs for every call. */
const MCP_SECTIONS = ['Tools', 'Allow writes', 'Repeated calls', 'Errors']

/** Keeps the links to other guides of the skill and to websites. Other links become text. */
function keepLinks(text: string, folder: string, guides: Guides): string {
  return text.replace(/\[([^\]]*)\]\(([^)\s]*)\)/g, (link, label: string, target: string) => {
    if (/^(?:https?:|#)/.test(target)) return link
    const [, name = '', hash = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? []
    return name in guides ? `[${label}](${folder}${name}.md${hash})` : label
  })
}

/** Lists every operation by group: its fields, its docstring, its address. */
function renderOperations({ operations: described }: Descriptions): string {
  const groups = Map.groupBy(operations, ({ id }) => id.split('.')[0] ?? '')
  const sections = [...groups].map(([group, members]) => {
    const lines = members.map(({ id, method, path }) => {
      const { summary = '', fields = {} } = described[id] ?? {}
      const names = Object.keys(fields).filter((name) => !name.includes('.'))
      const text = summary.replace(/\s+/g, ' ')
      return `- \`${id}\` { ${names.join(', ')} }: ${text} (${method} ${path})`
    })
    return `## ${group}, of @mintmark/${members[0]?.package}\n\n${lines.join('\n')}`
  })
  return `# Operations\n\nEach with the fields of its input, and its address. No other operations exist.\n\n${sections.join('\n\n')}\n`
}

/** Returns a section of a guide, with its heading. */
function readSection(guide: string, heading: string): string {
  const [, section] = guide.split(`\n## ${heading}\n`)
  if (section === undefined) throw new Error(`The guide has no section "${heading}"`)
  return `## ${heading}\n${section.split('\n## ')[0]?.trimEnd()}`
}

/** Creates the skills of the packages: the text of each file by its path below `packages`. */
export function createSkills(root: string, descriptions: Descriptions): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const readGuide = (name: string) => readFileSync(join(root, 'docs/guides', `${name}.md`), 'utf8')
  const add = (folder: string, template: string, guides: Guides, values: Record<string, string>) => {
    const lines = Object.entries(guides).map(([name, use]) => `- [${name}](references/${name}.md): ${use}`)
    const references = ['- [operations](references/operations.md): every operation', ...lines].join('\n')
    files.set(`${folder}/SKILL.md`, fill(join(root, 'docs/site', template), { ...values, references }))
    files.set(`${folder}/references/operations.md`, renderOperations(descriptions))
    for (const name of Object.keys(guides))
      files.set(`${folder}/references/${name}.md`, keepLinks(readGuide(name), '', guides))
  }
  const sections = MCP_SECTIONS.map((heading) => readSection(readGuide('agents-and-mcp'), heading)).join(
    '\n\n',
  )
  add('mintmark/dist/skills/mintmark', 'skill.md.template', MINTMARK_GUIDES, {
    introduction: introduction(root),
  })
  add('mcp/dist/skills/mintmark-mcp', 'mcp-skill.md.template', MCP_GUIDES, {
    sections: keepLinks(sections, 'references/', MCP_GUIDES),
  })
  return files
}

export function writeSkills(root: string, descriptions: Descriptions): void {
  for (const [path, text] of createSkills(root, descriptions)) {
    const file = join(root, 'packages', path)
    mkdirSync(dirname(file), { recursive: true })
    replaceFile(file, text)
  }
}
