import type { EventSource } from '../database/event-source.ts'
import { addAuditEntries } from '../domains/audit/add-entries.ts'
import { sequenceAllChanges } from '../domains/events/sequencer.ts'
import { eventSources } from '../main/composition.ts'
import { TEST_URL, type TestGateway } from './gateway.ts'

/**
 * Writes the entries and the events of all changes that were committed. A change that cannot be reported is
 * left, as in production.
 */
export async function recordAudit(
  { owner }: Pick<TestGateway, 'owner'>,
  sources: readonly EventSource[] = eventSources,
): Promise<void> {
  const log = { error: () => {} }
  await sequenceAllChanges({ db: owner.system, sources, addAuditEntries, publicUrl: TEST_URL, log })
}
