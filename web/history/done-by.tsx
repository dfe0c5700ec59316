import { ClientName } from '../keys/client-name.tsx'
import type { ChangeSet } from './change-sets.ts'
import css from './done-by.module.css'
import { nameOfDoor } from './doors.ts'

/** Via which interface, and with which key and client if it was not the web app. */
export const DoneBy = ({ of: { via, api_key_id, api_key_name, client } }: { of: ChangeSet }) => (
  <span className={css.by}>
    <span>{nameOfDoor(via)}</span>
    {api_key_id && (
      <>
        <span>
          key <bdi className={css.key}>{api_key_name ?? '(deleted)'}</bdi>
        </span>
        <ClientName of={client} />
      </>
    )}
  </span>
)
