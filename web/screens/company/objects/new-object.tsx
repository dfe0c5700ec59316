import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { contract } from '../../../../contract/index.ts'
import { api } from '../../../api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogSubmit } from '../../../ui/dialog-form.tsx'
import { useDraft } from '../../../ui/draft.ts'
import { DraftForm } from '../../../ui/draft-form.tsx'
import { say } from '../../../ui/notices.tsx'
import { objectPage } from '../sections.ts'
import css from './field-form.module.css'
import { KeyInput } from './key-input.tsx'
import { keyFrom } from './keys.ts'
import { useSchemaChanged } from './whole-schema.ts'

export function NewObject({ onClose }: { onClose: () => void }) {
  const changed = useSchemaChanged()
  const navigate = useNavigate()
  const { draft, values, change, text, isPending } = useDraft({
    input: contract.createObject.input,
    initial: { label: '', label_plural: '', key: null as string | null },
    ask: ({ label, label_plural, key }) => ({ label, label_plural, key: key ?? keyFrom(label_plural) }),
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
            {...text('label_plural')}
          />
          <KeyInput
            value={values.key ?? keyFrom(values.label_plural)}
            error={draft.errors.key}
            onChange={(key) => change({ key })}
          />
        </div>
        <DialogSubmit action="Create object" isPending={isPending} onCancel={onClose} />
      </DraftForm>
    </Dialog>
  )
}
