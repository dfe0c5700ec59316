import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../client/api.ts'
import { jobStarted } from '../../../jobs/jobs.ts'
import { counted } from '../../../records/counted.ts'
import { recordsChanged } from '../../../records/record-cache.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { say } from '../../../ui/notices.tsx'

type Props = { object: ObjectShape; ids: string[]; onDone: () => void; onClose: () => void }

export function Purge({ object, ids, onDone, onClose }: Props) {
  const client = useQueryClient()
  return (
    <Confirm
      title={`Delete ${counted(ids.length, object)} for good?`}
      action="Delete for good"
      act={async () => {
        const { purged, job_id } = await api.purgeRecords({ object: object.key, ids })
        if (job_id) jobStarted(job_id)
        else say(`${counted(purged, object)} deleted for good`)
      }}
      onDone={async () => {
        onDone()
        await recordsChanged(client, object.key)
      }}
      onClose={onClose}
    >
      <p>Nobody can undo this. Links that lead to {ids.length === 1 ? 'it' : 'them'} go too.</p>
    </Confirm>
  )
}
