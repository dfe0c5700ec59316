import { UnstyledButton } from '@mantine/core'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { isBuiltIn } from '../../../records/data/built-in.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { isEmpty } from '../../../records/data/value-text.ts'
import { EditInPlace } from './edit-in-place.tsx'
import css from './fields.module.css'
import { nameParts } from './name.tsx'

type Props = { object: ObjectShape; record: RecordShape }

/** The fields in their groups. Empty ones after the first group, and what the system writes, wait behind a button each. */
export function FieldList({ object, record }: Props) {
  const { mayEdit } = useRights(object)
  const isFixed = !mayEdit(record)
  const [isWhole, setWhole] = useState(false)
  const [withSystem, setWithSystem] = useState(false)
  const fields = fieldsOf(object)
  const system = object.columns.filter(isOfSystem)
  // A field that was just filled or emptied stays where it is until the page is left.
  const [emptyAtFirst] = useState(() => new Set(fields.filter(({ key }) => isEmpty(record[key])).map(({ key }) => key)))
  const hidden = fields.filter(
    ({ key, group }) => group !== fields[0]?.group && emptyAtFirst.has(key) && isEmpty(record[key]),
  )
  const isFolded = hidden.length > mostEmpty && !isWhole
  const shown = isFolded ? fields.filter((field) => !hidden.includes(field)) : fields
  const rows = (some: FieldShape[]) => (
    <dl data-field-list>
      {some.map((field) => (
        <div key={field.key} className={css.row}>
          <dt title={field.description || undefined}>{field.label}</dt>
          <dd>
            <EditInPlace object={object} record={record} field={field} isFixed={field.is_read_only || isFixed} />
          </dd>
        </div>
      ))}
    </dl>
  )
  const groups = [...Map.groupBy(shown, ({ group }) => group)]
  return (
    <section aria-label="Fields" className={css.fields}>
      {groups.map(([group, some]) => (
        <section key={group} className={css.group} aria-label={group || 'Details'}>
          {groups.length > 1 && <h2 className={css.heading}>{group || 'Details'}</h2>}
          {rows(some)}
        </section>
      ))}
      {hidden.length > mostEmpty && (
        <Fold isOpen={isWhole} onToggle={() => setWhole(!isWhole)}>
          {isWhole ? 'Hide empty fields' : `${hidden.length} empty fields`}
        </Fold>
      )}
      <Fold isOpen={withSystem} onToggle={() => setWithSystem(!withSystem)}>
        System fields
      </Fold>
      {withSystem && rows(system)}
    </section>
  )
}

/** Fewer are not worth a click. */
const mostEmpty = 2

type FoldProps = { isOpen: boolean; onToggle: () => void; children: React.ReactNode }

const Fold = ({ isOpen, onToggle, children }: FoldProps) => (
  <UnstyledButton className={css.more} aria-expanded={isOpen} onClick={onToggle}>
    <ChevronRight size={14} />
    {children}
  </UnstyledButton>
)

const isOfSystem = ({ is_system, key }: FieldShape) => is_system === true && key !== 'owner' && key !== 'title'

/** Where a series of tasks began, which only Kith uses. */
const isInternal = (field: FieldShape) => isBuiltIn(field, 'repeats_from')

/** Without the name, which is edited in the heading, the files, and the text of a note, which is shown as a note. */
function fieldsOf(object: ObjectShape): FieldShape[] {
  const named = new Set(nameParts(object).map(({ key }) => key))
  const isElsewhere = ({ key, type }: FieldShape) =>
    key === 'title' || key === 'owner' || type === 'file' || named.has(key)
  const own = object.columns.filter((field) => !isOfSystem(field) && !isElsewhere(field) && !isInternal(field))
  const owner = object.byKey.get('owner')
  const group = own[0]?.group ?? ''
  const all = owner ? [...own, { ...owner, group }] : own
  return isBuiltIn(object, 'notes') ? all.filter(({ key }) => key !== 'body') : all
}
