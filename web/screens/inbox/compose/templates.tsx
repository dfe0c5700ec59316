import { Button, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileText, Pencil, Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { templateVariables } from '../../../../contract/messages.ts'
import { api } from '../../../client/api.ts'
import { type Template, templatesQuery } from '../../../conversations/inbox.ts'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { Confirm, Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { DialogForm } from '../../../ui/form/form.tsx'
import { PickList } from '../../../ui/form/picker.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { RowMenu, RowOf, Rows } from '../../../ui/page/rows.tsx'
import css from './dialogs.module.css'
import { PickDialog } from './pick-dialog.tsx'

type PickerProps = { onPick: (template: Template) => void; onClose: () => void }

export function TemplatePicker({ onPick, onClose }: PickerProps) {
  const { data: templates = [] } = useQuery(templatesQuery)
  const [search, setSearch] = useState('')
  const [isManaging, manage] = useState(false)
  const wanted = search.trim().toLowerCase()
  const fitting = templates.filter(({ name, text }) => `${name} ${text}`.toLowerCase().includes(wanted))
  if (isManaging) return <Templates onClose={onClose} />
  return (
    <PickDialog title="Insert a template" size={480} onClose={onClose}>
      <PickList
        label="Templates"
        placeholder="Search templates"
        nothing={templates.length ? 'No matching templates' : 'No templates yet'}
        items={fitting.map(({ id, name, is_shared }) => ({
          value: id,
          label: name,
          detail: is_shared ? 'Everyone' : 'Only you',
        }))}
        search={search}
        onSearch={setSearch}
        onPick={(id) => onPick(templates.find((one) => one.id === id)!)}
      />
      <DialogActions>
        <Button variant="default" onClick={() => manage(true)}>
          Manage templates
        </Button>
      </DialogActions>
    </PickDialog>
  )
}

type Asked = { what: 'edit' | 'delete'; template?: Template }

/** The user's own templates and those of the company. */
export function Templates({ onClose }: { onClose: () => void }) {
  const templates = useQuery(templatesQuery)
  const [asked, ask] = useState<Asked>()
  const close = () => ask(undefined)
  const add = (
    <Button leftSection={<Plus size={15} />} onClick={() => ask({ what: 'edit' })}>
      New template
    </Button>
  )
  const none = (
    <Message icon={FileText} title="No templates yet" action={add}>
      Save messages that you send often, with variables such as {'{{first_name}}'} that Kith fills in.
    </Message>
  )
  return (
    <Dialog title="Templates" size={560} tall onClose={onClose}>
      <LoadedList query={templates} what="templates" height={120} empty={none}>
        {(items) => (
          <>
            <Rows label="Templates">
              {items.map((template) => (
                <RowOf
                  key={template.id}
                  icon={FileText}
                  title={<bdi>{template.name}</bdi>}
                  note={`${template.is_shared ? 'For everyone' : 'Only you'} · ${template.text.slice(0, 80)}`}
                >
                  {template.is_mine && (
                    <RowMenu
                      of={template.name}
                      actions={[
                        { label: 'Edit', icon: Pencil, open: () => ask({ what: 'edit', template }) },
                        { label: 'Delete', icon: Trash2, open: () => ask({ what: 'delete', template }) },
                      ]}
                    />
                  )}
                </RowOf>
              ))}
            </Rows>
            <div className={css.below}>{add}</div>
          </>
        )}
      </LoadedList>
      {asked?.what === 'edit' && <TemplateForm template={asked.template} onClose={close} />}
      {asked?.what === 'delete' && <DeleteTemplate template={asked.template!} onClose={close} />}
    </Dialog>
  )
}

function useTemplatesChanged() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: templatesQuery.queryKey })
}

type FormProps = { template: Template | undefined; onClose: () => void }

function TemplateForm({ template, onClose }: FormProps) {
  const changed = useTemplatesChanged()
  const box = useRef<HTMLTextAreaElement>(null)
  const { form, values, change, text, checked } = useForm({
    input: rulesOf(
      () => import('../../../../contract/messages.ts'),
      ({ messages }) => messages.createMessageTemplate.input,
    ),
    initial: {
      name: template?.name ?? '',
      subject: template?.subject ?? '',
      text: template?.text ?? '',
      is_shared: template?.is_shared ?? false,
    },
    send: (values) =>
      template ? api.updateMessageTemplate({ id: template.id, ...values }) : api.createMessageTemplate(values),
    onDone: () => {
      onClose()
      return changed()
    },
  })
  const insert = (name: string) => {
    const { selectionStart: from, selectionEnd: to } = box.current!
    change({ text: `${values.text.slice(0, from)}{{${name}}}${values.text.slice(to)}` })
    box.current!.focus()
  }
  return (
    <Dialog title={template ? 'Edit template' : 'New template'} size={452} tall onClose={onClose}>
      <DialogForm of={form} action={template ? 'Save template' : 'Create template'} onCancel={onClose}>
        <TextInput label="Name" autoComplete="off" data-autofocus {...text('name')} />
        <TextInput label="Subject" description="For new messages" autoComplete="off" {...text('subject')} />
        <Textarea
          label="Text"
          ref={box}
          description="Markdown. Variables are filled in for each person."
          autosize
          minRows={6}
          maxRows={16}
          {...text('text')}
        />
        <fieldset className={css.variables}>
          <legend>Insert a variable</legend>
          {templateVariables.map((name) => (
            <Button key={name} variant="default" size="compact-xs" onClick={() => insert(name)}>
              {name}
            </Button>
          ))}
        </fieldset>
        <Switch label="Share with the company" {...checked('is_shared')} />
      </DialogForm>
    </Dialog>
  )
}

function DeleteTemplate({ template, onClose }: { template: Template; onClose: () => void }) {
  return (
    <Confirm
      title={`Delete the template ${template.name}?`}
      action="Delete template"
      act={() => api.deleteMessageTemplate({ id: template.id })}
      onDone={useTemplatesChanged()}
      onClose={onClose}
    >
      Messages already sent are not affected.
    </Confirm>
  )
}
