import { VisuallyHidden } from '@mantine/core'
import { type ObjectRights, type RecordRights, rightsOn } from '../../../../contract/access.ts'
import { nameOfObject, objectsOf, others, useObjects } from '../../../roles/roles.ts'
import { Part } from '../../../ui/layout.tsx'
import { Head, Table } from '../../../ui/table.tsx'
import css from './rights-matrix.module.css'
import { RightsRow } from './rights-row.tsx'

type Props = { records: RecordRights; onChange?: (records: RecordRights) => void }

/** What a role may do with records, object by object. Without `onChange` to be read, and only what is set. */
export function RightsMatrix({ records, onChange }: Props) {
  const set = (object: string) => onChange && ((rights: ObjectRights) => onChange({ ...records, [object]: rights }))
  const reset = (object: string) => onChange && (() => onChange(without(records, object)))
  const schema = useObjects()
  const objects = objectsOf(records, schema).filter((object) => onChange || object in records)
  return (
    <Part
      title="Rights on records"
      about={`All: every record. Own: those that the user owns.${onChange ? ' Who may edit or delete may also read.' : ''}`}
      className={css.part}
    >
      <Table
        label="Rights on records"
        className={css.table}
        stackOn="laptop"
        head={onChange ? columns : columns.slice(0, 5)}
      >
        <RightsRow
          object={others}
          name={objects.length ? 'Other objects' : 'All objects'}
          note={onChange && 'Whatever is not set below'}
          rights={rightsOn(records, others)}
          onChange={set(others)}
        />
        {objects.map((object) => (
          <RightsRow
            key={object}
            object={object}
            name={nameOfObject(object, schema)}
            note={object in records ? undefined : 'As other objects'}
            rights={rightsOn(records, object)}
            follows={!(object in records)}
            onChange={set(object)}
            onReset={reset(object)}
          />
        ))}
      </Table>
    </Part>
  )
}

const columns = [
  ...['Object', 'Read', 'Create', 'Edit', 'Delete'].map((column) => <Head key={column}>{column}</Head>),
  <Head key="reset">
    <VisuallyHidden>Reset</VisuallyHidden>
  </Head>,
]

const without = (records: RecordRights, object: string) =>
  Object.fromEntries(Object.entries(records).filter(([key]) => key !== object))
