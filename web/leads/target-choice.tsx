import { Radio } from '@mantine/core'
import { inSentence } from '../../contract/shared/in-sentence.ts'
import type { FieldShape, ObjectShape } from '../records/data/schema.ts'
import { FieldEditor } from '../records/fields/field-editor.tsx'
import css from './convert.module.css'

/** `found`: what Kith proposes. `id`: of another record. */
export type Chosen = { how: 'found' | 'other' | 'none'; id: string | null }

type Props = {
  /** Has the focus when the dialog opens. */
  isFirst?: boolean
  /** Nothing: the user may not see them. */
  object: ObjectShape | undefined
  found: { title: string; is_new: boolean } | null
  value: Chosen
  error: string | undefined
  onChange: (value: Chosen) => void
}

/** The person or the organization of a lead: the one that was found or will be created, another one, or none. */
export function TargetChoice({ isFirst = false, object, found, value, error, onChange }: Props) {
  if (!object) return null
  const noun = inSentence(object.label)
  return (
    <fieldset className={css.part} aria-label={object.label}>
      <Radio.Group
        label={object.label}
        value={value.how}
        error={value.how === 'other' ? undefined : error}
        onChange={(how) => onChange({ ...value, how: how as Chosen['how'] })}
      >
        <div className={css.choices}>
          {found && (
            <Radio
              value="found"
              autoFocus={isFirst}
              label={<bdi>{found.title}</bdi>}
              description={found.is_new ? `New ${noun}` : `Existing ${noun}. Only its empty fields are filled.`}
            />
          )}
          <Radio value="other" label={found ? `Another ${noun}` : `Existing ${noun}`} />
          {value.how === 'other' && (
            <div className={css.other}>
              <FieldEditor
                autoFocus
                field={relationTo(object)}
                value={value.id}
                error={error}
                onChange={(id) => onChange({ how: 'other', id: (id as string | null) ?? null })}
              />
            </div>
          )}
          <Radio value="none" label={`No ${noun}`} />
        </div>
      </Radio.Group>
    </fieldset>
  )
}

const relationTo = ({ key, label }: ObjectShape): FieldShape => ({
  key: 'id',
  label: `Which ${inSentence(label)}`,
  type: 'relation',
  description: '',
  is_multi: false,
  is_required: false,
  is_unique: false,
  is_read_only: false,
  is_built_in: false,
  is_archived: false,
  group: '',
  options: null,
  to_objects: [key],
  default_value: null,
})
