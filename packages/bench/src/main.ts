import { cpus } from 'node:os'
import { chargesSection } from './charges.ts'
import { clientSection } from './client.ts'
import { eventWritesSection } from './event-writes.ts'
import { eventsSection } from './events.ts'
import { gatewaySection } from './gateway.ts'
import { indexerSection } from './indexer.ts'
import { listsSection } from './lists.ts'
import { mixedSection } from './mixed.ts'
import { noisySection } from './noisy.ts'
import { pagingSection } from './paging.ts'
import { print, type Section } from './section.ts'
import { settleSection } from './settle.ts'
import { verifySection } from './verify.ts'
import { webhooksSection } from './webhooks.ts'

/** Each section is a file of the same name. Add yours here. */
const sections: readonly Section[] = [
  clientSection,
  gatewaySection,
  pagingSection,
  listsSection,
  mixedSection,
  noisySection,
  verifySection,
  settleSection,
  chargesSection,
  indexerSection,
  webhooksSection,
  eventsSection,
  eventWritesSection,
]

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const quick = process.argv.includes('--quick')
const unknown = names.filter((name) => !sections.some((section) => section.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no section ${unknown.join(', ')}. Sections: ${sections.map(({ name }) => name).join(', ')}.`,
  )
  process.exitCode = 2
} else {
  const [{ model } = { model: 'unknown' }] = cpus()
  console.log(`Node ${process.version}, ${cpus().length} × ${model.trim()}${quick ? ', quick' : ''}`)
  for (const section of sections) {
    if (names.length === 0 || names.includes(section.name)) print(section, await section.measure({ quick }))
  }
}
