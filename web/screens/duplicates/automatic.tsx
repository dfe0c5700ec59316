import { Checkbox } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Settings2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../client/api.ts'
import { isCompared } from '../../records/data/compared.ts'
import { useSchema } from '../../records/data/schema.ts'
import { IconButton } from '../../ui/basics/icon-button.tsx'
import { Loaded } from '../../ui/basics/loaded.tsx'
import { say } from '../../ui/basics/notices.tsx'
import { Dialog } from '../../ui/form/dialog.tsx'
import { DialogForm } from '../../ui/form/form.tsx'
import { rulesOf } from '../../ui/form/rules-of.ts'
import { useForm } from '../../ui/form/use-form.ts'
import css from './duplicates.module.css'

/** For Admins: the objects whose certain duplicates Kith merges. */
export function AutomaticMerging() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton icon={Settings2} label="Merge automatically" size={36} onClick={() => setOpen(true)} />
      {isOpen && <SettingsDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const queryKey = ['duplicate-settings']

function SettingsDialog({ onClose }: { onClose: () => void }) {
  const query = useQuery({ queryKey, queryFn: ({ signal }) => api.getDuplicateSettings({}, { signal }) })
  return (
    <Dialog title="Merge automatically" onClose={onClose}>
      <Loaded query={query} what="settings" height={220}>
        {({ merge_certain }) => <SettingsForm merge_certain={merge_certain} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

function SettingsForm({ merge_certain, onClose }: { merge_certain: string[]; onClose: () => void }) {
  const client = useQueryClient()
  const objects = useSchema().filter(isCompared)
  const { form, values, errors, change } = useForm({
    input: rulesOf(
      () => import('../../../contract/merges.ts'),
      ({ merges }) => merges.updateDuplicateSettings.input,
    ),
    initial: { merge_certain },
    send: (sent) => api.updateDuplicateSettings(sent),
    onDone: (saved) => {
      client.setQueryData(queryKey, saved)
      say(
        saved.merge_certain.length
          ? 'Certain duplicates are merged automatically.'
          : 'Nothing is merged automatically.',
      )
      onClose()
    },
  })
  return (
    <DialogForm
      of={form}
      action="Save"
      onCancel={onClose}
      about={
        <p className={css.about}>
          Kith merges certain duplicates as soon as they are found, including those that exist now. The record that was
          created first is kept and gets what it lacks from the others. Records that someone marked as different, or
          whose merge someone undid, are left alone. Admins are notified once a day, and can undo every merge.
        </p>
      }
    >
      <Checkbox.Group
        label="Merge certain duplicates of"
        value={values.merge_certain}
        error={errors.merge_certain}
        onChange={(merge_certain) => change({ merge_certain })}
      >
        <div className={css.objects}>
          {objects.map(({ key, label_plural }) => (
            <Checkbox key={key} value={key} label={label_plural} />
          ))}
        </div>
      </Checkbox.Group>
    </DialogForm>
  )
}
