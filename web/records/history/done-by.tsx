import { ClientName } from '../../screens/api-connectors/client-name.tsx'
import { nameOfDoor } from '../../screens/company/audit/doors.ts'
import type { ChangeSet } from './change-sets.ts'
import css from './done-by.module.css'

/** Through which door, with which key and client. In the web app the door says it all. */
export const DoneBy = ({ of: { door, api_key_id, api_key_name, client } }: { of: ChangeSet }) => (
  <span className={css.by}>
    <span>{nameOfDoor(door)}</span>
    {api_key_id && (
      <>
        <span>
          key <bdi className={css.key}>{api_key_name ?? 'that is gone'}</bdi>
        </span>
        <ClientName of={client} />
      </>
    )}
  </span>
)
