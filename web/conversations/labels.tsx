import { Button, Radio, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Plus, Tags, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { optionColors } from '../../contract/objects.ts'
import { api } from '../client/api.ts'
import { OptionBadge } from '../records/fields/field-value.tsx'
import { Part } from '../ui/basics/layout.tsx'
import { LoadedList } from '../ui/basics/loaded.tsx'
import { Message } from '../ui/basics/states.tsx'
import { Confirm, Dialog } from '../ui/form/dialog.tsx'
import { DialogForm } from '../ui/form/form.tsx'
import { rulesOf } from '../ui/form/rules-of.ts'
import { useForm } from '../ui/form/use-form.ts'
import { RowMenu, RowOf, Rows } from '../ui/page/rows.tsx'
import { type Label, labelsQuery } from './inbox.ts'
import css from './labels.module.css'

export const LabelBadge = ({ of: { name, color } }: { of: Pick<Label, 'name' | 'color'> }) => (
  <OptionBadge option={{ key: name, label: name, color }} value={name} />
)

/** The labels of conversations, for those who may change them. */
export function LabelsSection() {
  const labels = useQuery(labelsQuery)
  const [asked, ask] = useState<{ what: 'edit' | 'delete'; label?: Label }>()
  const close = () => ask(undefined)
  const add = (
    <Button variant="default" leftSection={<Plus size={15} />} onClick={() => ask({ what: 'edit' })}>
      New label
    </Button>
  )
  return (
    <Part
      className={css.part ?? ''}
      title="Labels"
      about="Shared by everyone, for conversations in all channels."
      action={add}
    >
      <LoadedList
        query={labels}
        what="labels"
        small
        empty={
          <Message icon={Tags} title="No labels yet">
            Labels group conversations, for example by product or topic.
          </Message>
        }
      >
        {(items) => (
          <Rows label="Labels">
            {items.map((label) => (
              <RowOf key={label.id} title={<LabelBadge of={label} />}>
                <RowMenu
                  of={label.name}
                  actions={[
                    { label: 'Edit', icon: Pencil, open: () => ask({ what: 'edit', label }) },
                    { label: 'Delete', icon: Trash2, open: () => ask({ what: 'delete', label }) },
                  ]}
                />
              </RowOf>
            ))}
          </Rows>
        )}
      </LoadedList>
      {asked?.what === 'edit' && <LabelForm {...(asked.label && { label: asked.label })} onClose={close} />}
      {asked?.what === 'delete' && <DeleteLabel label={asked.label!} onClose={close} />}
    </Part>
  )
}

function useLabelsChanged() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['inbox'] })
}

type FormProps = { label?: Label; name?: string; onDone?: (label: Label) => void; onClose: () => void }

export function LabelForm({ label, name = '', onDone, onClose }: FormProps) {
  const changed = useLabelsChanged()
  const { form, values, change, text } = useForm({
    input: rulesOf(
      () => import('../../contract/conversations.ts'),
      ({ conversations }) => conversations.createConversationLabel.input,
    ),
    initial: { name: label?.name ?? name, color: label?.color ?? 'gray' },
    send: (values) =>
      label ? api.updateConversationLabel({ id: label.id, ...values }) : api.createConversationLabel(values),
    onDone: async (saved) => {
      onClose()
      await changed()
      onDone?.(saved)
    },
    isGuarded: false,
  })
  return (
    <Dialog title={label ? 'Edit label' : 'New label'} onClose={onClose}>
      <DialogForm of={form} action={label ? 'Save label' : 'Create label'} onCancel={onClose}>
        <TextInput label="Name" autoComplete="off" data-autofocus {...text('name')} />
        <Radio.Group
          label="Color"
          value={values.color}
          onChange={(color) => change({ color: color as Label['color'] })}
        >
          <div className={css.colors}>
            {optionColors.map((color) => (
              <Radio
                key={color}
                value={color}
                aria-label={color}
                icon={() => null}
                classNames={{ radio: css.color }}
                data-color={color}
              />
            ))}
          </div>
        </Radio.Group>
      </DialogForm>
    </Dialog>
  )
}

function DeleteLabel({ label, onClose }: { label: Label; onClose: () => void }) {
  return (
    <Confirm
      title={`Delete the label ${label.name}?`}
      action="Delete label"
      act={() => api.deleteConversationLabel({ id: label.id })}
      onDone={useLabelsChanged()}
      onClose={onClose}
    >
      It will be removed from all conversations. No conversations are deleted.
    </Confirm>
  )
}
