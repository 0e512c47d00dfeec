import { audit } from '@mintmark/admin'
import { expect } from 'vitest'
import { recordAudit } from '../event-streams.ts'
import { emptyInputAfter, type Sample, type SampleProject, sample } from './sample.ts'

/** Writes an entry of the log. */
async function changeFan({ gateway, projectId }: SampleProject): Promise<void> {
  const fan = { project_id: projectId, fan: 'ada', address: 'bob' }
  await gateway.owner.system
    .insertInto('gateway.fans')
    .values(fan)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await recordAudit(gateway)
}

export const auditSamples: readonly Sample[] = [
  sample(audit.list, {
    input: async (project) => {
      await changeFan(project)
      const range = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' }
      const { rows } = await project.gateway.owner.pool.query(
        'select record_id from gateway.audit_entries where project_id = $1 and record_type = $2',
        [project.projectId, 'fans'],
      )
      return { actor: 'server', recordType: 'fans', recordId: rows[0].record_id, action: 'CREATED', ...range }
    },
    contains: {
      totalRow: 1,
      list: [{ recordType: 'fans', actor: 'server', changes: { fan: { after: 'ada' } } }],
    },
    refused: [['action', { action: 'READ' }]],
  }),
  sample(audit.verify, {
    input: emptyInputAfter(changeFan),
    otherProject: 'own',
    contains: { valid: true, entries: expect.any(Number), headHash: expect.any(String) },
  }),
]
