import { batchesSection } from './batches.ts'
import { catalogSection } from './catalog.ts'
import { channelsSection } from './channels.ts'
import { chargesSection } from './charges.ts'
import { clientSection } from './client.ts'
import { consoleSection } from './console.ts'
import { eventWritesSection } from './event-writes.ts'
import { eventsSection } from './events.ts'
import { gatewaySection } from './gateway.ts'
import { indexerSection } from './indexer.ts'
import { listsSection } from './lists.ts'
import { mixedSection } from './mixed.ts'
import { noisySection } from './noisy.ts'
import { formatHelp, OptionsError, parseOptions } from './options.ts'
import { pagingSection } from './paging.ts'
import { ponderSection } from './ponder.ts'
import { runBench } from './run-bench.ts'
import { searchSection } from './search.ts'
import type { Section } from './section.ts'
import { settleSection } from './settle.ts'
import { verifySection } from './verify.ts'
import { webhooksSection } from './webhooks.ts'

/** Each section is a file of the same name. Add yours here. */
const sections: readonly Section[] = [
  clientSection,
  gatewaySection,
  pagingSection,
  listsSection,
  searchSection,
  mixedSection,
  noisySection,
  verifySection,
  settleSection,
  batchesSection,
  channelsSection,
  chargesSection,
  catalogSection,
  indexerSection,
  webhooksSection,
  eventsSection,
  eventWritesSection,
  consoleSection,
]
/** Sections that need the npm registry. */
const sectionsOnRequest: readonly Section[] = [ponderSection]
const names = sections.map(({ name }) => name)
const namesOnRequest = sectionsOnRequest.map(({ name }) => name)

try {
  const options = parseOptions(process.argv.slice(2), names, namesOnRequest)
  if (options.help) console.log(formatHelp(names, namesOnRequest))
  else await runBench([...sections, ...sectionsOnRequest], options)
} catch (error) {
  if (!(error instanceof OptionsError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
