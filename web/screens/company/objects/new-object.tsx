import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { contract } from '../../../../contract/index.ts'
import { api } from '../../../client/api.ts'
import { objectPage } from '../../../client/areas.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogSubmit } from '../../../ui/dialog-form.tsx'
import { useDraft } from '../../../ui/draft.ts'
import { DraftForm } from '../../../ui/draft-form.tsx'
import { say } from '../../../ui/notices.tsx'
import css from './field-form.module.css'
import { KeyInput } from './key-input.tsx'
import { keyFrom } from './keys.ts'
import { useSchemaChanged } from './whole-schema.ts'

export function NewObject({ onClose }: { onClose: () => void }) {
  const changed = useSchemaChanged()
  const navigate = useNavigate()
  const { draft, values, change, text, isPending } = useDraft({
    input: contract.createObject.input,
    initial: { label: '', label_plural: null as string | null, key: null as string | null },
    ask: (values) => ({ label: values.label, label_plural: pluralOf(values), key: keyOf(values) }),
    send: api.createObject,
    onDone: async ({ key, label_plural }) => {
      await changed()
      onClose()
      say(`${label_plural} added`)
      await navigate({ to: objectPage, params: { object: key } })
    },
  })
  return (
    <Dialog title="New object" onClose={onClose}>
      <DraftForm draft={draft} className={css.form}>
        <div className={css.fields}>
          <TextInput
            label="Name of one"
            placeholder="Such as: Project"
            autoComplete="off"
            data-autofocus
            {...text('label')}
          />
          <TextInput
            label="Name of many"
            placeholder="Such as: Projects"
            autoComplete="off"
            value={pluralOf(values)}
            error={draft.errors.label_plural}
            onChange={(event) => change({ label_plural: event.currentTarget.value })}
          />
          <KeyInput value={keyOf(values)} error={draft.errors.key} onChange={(key) => change({ key })} />
        </div>
        <DialogSubmit action="Create object" isPending={isPending} onCancel={onClose} />
      </DraftForm>
    </Dialog>
  )
}

type Values = { label: string; label_plural: string | null; key: string | null }

/** A proposal, until somebody writes it themselves. */
const pluralOf = ({ label, label_plural }: Values) => label_plural ?? (label.trim() && many(label.trim()))
const keyOf = (values: Values) => values.key ?? keyFrom(pluralOf(values))

const many = (one: string) =>
  /[^aeiou]y$/i.test(one) ? `${one.slice(0, -1)}ies` : /(?:s|x|z|ch|sh)$/i.test(one) ? `${one}es` : `${one}s`
