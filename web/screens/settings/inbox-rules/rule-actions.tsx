import { Button, Menu, MultiSelect, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { mostRuleActions, type RuleAction } from '../../../../contract/inbox-rules.ts'
import { labelsQuery, templatesQuery } from '../../../conversations/inbox.ts'
import { LabelForm } from '../../../conversations/labels.tsx'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { FieldError, FieldGroup } from '../../../ui/form/field-group.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { moved } from '../../../ui/form/reorder.tsx'
import { UsersSelect } from '../../../users/users-select.tsx'
import css from './inbox-rules.module.css'
import { actionKinds, actionWords, newAction } from './rules.ts'

type Props = {
  value: RuleAction[]
  errors: Record<string, string>
  onChange: (actions: RuleAction[]) => void
}

/** What a rule does, in this order. */
export function RuleActions({ value, errors, onChange }: Props) {
  return (
    <FieldGroup legend="Then">
      {value.map((action, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an action is its place and its kind
        <fieldset key={`${i} ${action.kind}`} className={css.action} aria-label={`Action ${i + 1}`}>
          <div className={css.actionHead}>
            <span>{actionWords[action.kind]}</span>
            <Tool label="Move up" icon={ChevronUp} isOff={i === 0} onClick={() => onChange(moved(value, i, i - 1))} />
            <Tool
              label="Move down"
              icon={ChevronDown}
              isOff={i === value.length - 1}
              onClick={() => onChange(moved(value, i, i + 1))}
            />
            <Tool label="Remove" icon={X} onClick={() => onChange(value.toSpliced(i, 1))} />
          </div>
          <ActionFields
            of={action}
            errorAt={(field) => errors[`actions.${i}.${field}`]}
            onChange={(next) => onChange(value.with(i, next))}
          />
          <FieldError>{errors[`actions.${i}`]}</FieldError>
        </fieldset>
      ))}
      <FieldError>{errors.actions}</FieldError>
      <Menu position="bottom-start" width={220}>
        <Menu.Target>
          <Button
            variant="default"
            size="compact-sm"
            className={css.add}
            disabled={value.length >= mostRuleActions}
            leftSection={<Plus size={14} />}
          >
            Add an action
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {actionKinds.map((kind) => (
            <Menu.Item key={kind} onClick={() => onChange([...value, newAction(kind)])}>
              {actionWords[kind]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </FieldGroup>
  )
}

type ToolProps = { label: string; icon: typeof X; isOff?: boolean; onClick: () => void }

const Tool = ({ label, icon: Icon, isOff = false, onClick }: ToolProps) => (
  <IconButton icon={Icon} label={label} size={26} disabled={isOff} onClick={onClick} />
)

type FieldsProps = {
  of: RuleAction
  errorAt: (field: string) => string | undefined
  onChange: (action: RuleAction) => void
}

function ActionFields({ of: action, errorAt, onChange }: FieldsProps) {
  switch (action.kind) {
    case 'assign':
      return (
        <UsersSelect
          label="Users"
          description="Several users get conversations round robin. Users who are away are skipped."
          placeholder="Choose users"
          error={errorAt('user_ids')}
          value={action.user_ids}
          onChange={(user_ids) => onChange({ ...action, user_ids })}
        />
      )
    case 'notify':
      return (
        <UsersSelect
          label="Users"
          placeholder="Choose users"
          error={errorAt('user_ids')}
          value={action.user_ids}
          onChange={(user_ids) => onChange({ ...action, user_ids })}
        />
      )
    case 'label':
      return (
        <LabelsSelect
          value={action.label_ids}
          error={errorAt('label_ids')}
          onChange={(label_ids) => onChange({ ...action, label_ids })}
        />
      )
    case 'reply':
      return (
        <TemplateSelect
          value={action.template_id}
          error={errorAt('template_id')}
          onChange={(template_id) => onChange({ ...action, template_id })}
        />
      )
    case 'task':
      return (
        <>
          <TextInput
            label="Title"
            placeholder="e.g. Call back"
            error={errorAt('title')}
            value={action.title}
            onChange={(event) => onChange({ ...action, title: event.currentTarget.value })}
          />
          <div className={css.pair}>
            <NumberField
              label="Due in (hours)"
              min={0}
              max={8760}
              isWhole
              error={errorAt('due_in_hours')}
              value={action.due_in_hours}
              onChange={(hours) => onChange({ ...action, due_in_hours: Number(hours) })}
            />
            <UsersSelect
              label="For"
              placeholder="The assignee"
              value={action.user_id ? [action.user_id] : []}
              onChange={(ids) => onChange({ ...action, user_id: ids.at(-1) ?? null })}
            />
          </div>
        </>
      )
    case 'close':
      return null
  }
}

type ListProps<T> = { value: T; error: string | undefined; onChange: (value: T) => void }

/** In the list of labels: the one that is typed. */
const newLabel = 'new'

function LabelsSelect({ value, error, onChange }: ListProps<string[]>) {
  const { data: labels = [] } = useQuery(labelsQuery)
  const [typed, type] = useState('')
  const [named, setNamed] = useState<string>()
  const wanted = typed.trim()
  const isNew = wanted !== '' && !labels.some(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  return (
    <>
      <MultiSelect
        label="Labels"
        placeholder={value.length ? undefined : 'Choose labels or type a new one'}
        data={[
          ...labels.map(({ id, name }) => ({ value: id, label: name })),
          ...(isNew ? [{ value: newLabel, label: `Create “${wanted}”` }] : []),
        ]}
        searchable
        searchValue={typed}
        onSearchChange={type}
        nothingFoundMessage="No labels yet. Type the name of a new one."
        error={error}
        value={value}
        onChange={(ids) => (ids.includes(newLabel) ? setNamed(wanted) : onChange(ids))}
      />
      {named !== undefined && (
        <LabelForm
          name={named}
          onDone={({ id }) => onChange([...value, id])}
          onClose={() => {
            setNamed(undefined)
            type('')
          }}
        />
      )}
    </>
  )
}

function TemplateSelect({ value, error, onChange }: ListProps<string>) {
  const { data: templates = [] } = useQuery(templatesQuery)
  return (
    <Select
      label="Template"
      description="Sent at most once a day per conversation and five times per address, never to automatic senders. Does not count as a first response."
      placeholder="Choose a shared template"
      data={templates.filter(({ is_shared }) => is_shared).map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      nothingFoundMessage="No shared templates. Add one in the inbox, under Templates."
      error={error && 'Choose a template'}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
    />
  )
}
