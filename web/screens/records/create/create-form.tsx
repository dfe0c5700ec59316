import { Button, Kbd, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { FieldEditor } from '../../../records/field-editor.tsx'
import type { RecordShape } from '../../../records/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../records/schema.ts'
import type { Values } from '../../../records/update-record.ts'
import { isEmpty } from '../../../records/value-text.ts'
import { modKey } from '../../../ui/keyboard.ts'
import { HeldBy } from '../../../ui/notices.tsx'
import { FormFailure } from '../../../ui/states.tsx'
import css from './create.module.css'
import { useCreate } from './use-create.ts'

type Props = { object: ObjectShape; begin: Values | undefined; onClose: () => void }

export function CreateForm({ object, begin, onClose }: Props) {
  const navigate = useNavigate()
  const { values, errors, failure, holder, isPending, draft, restoreDraft, discardDraft, change, save, form } =
    useCreate(object, begin, onClose)
  const [isWhole, setWhole] = useState(false)
  const [drawn, setDrawn] = useState(0)
  // What shows at first does not depend on what is typed later.
  const [{ first, rest }] = useState(() => createFields(object, values))
  const hasHiddenFault = rest.some(({ key }) => errors[key])
  const open = ({ id }: RecordShape) =>
    void navigate({ to: '/records/$object/$id', params: { object: object.key, id } })
  const showRest = () => {
    flushSync(() => setWhole(true))
    form.current?.querySelector<HTMLElement>(`[data-field="${rest[0]?.key}"] :is(input, textarea, button)`)?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.stopPropagation()
    save(event.shiftKey, open)
  }
  const shown = isWhole || hasHiddenFault ? [...first, ...rest] : first
  return (
    <form
      ref={form}
      className={css.form}
      noValidate
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault()
        save(false, open)
      }}
    >
      <FormFailure>{failure}</FormFailure>
      {holder && (
        <p className={css.kept}>
          There is a record like this already. <HeldBy of={holder} />
        </p>
      )}
      {draft && (
        <p className={css.kept}>
          You have an unsaved draft.
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => {
              restoreDraft()
              setDrawn(drawn + 1)
              if (rest.some(({ key }) => key in draft)) setWhole(true)
            }}
          >
            Restore draft
          </Button>
          <Button variant="subtle" color="gray" size="compact-xs" onClick={discardDraft}>
            Discard
          </Button>
        </p>
      )}
      <div key={drawn} className={css.fields}>
        {shown.map((field, index) => (
          <div
            key={field.key}
            className={css.field}
            data-field={field.key}
            data-type={field.type}
            data-wide={isWide(field) || undefined}
          >
            <FieldEditor
              field={field}
              value={values[field.key] ?? null}
              error={errors[field.key]}
              autoFocus={index === 0}
              onChange={(value) => change(field.key, value)}
            />
          </div>
        ))}
      </div>
      {rest.length > 0 && shown.length === first.length && (
        <UnstyledButton className={css.more} onClick={showRest}>
          <ChevronDown size={14} aria-hidden="true" />
          All fields
        </UnstyledButton>
      )}
      <div className={css.actions}>
        <span className={css.hint}>
          <Kbd size="xs">{modKey}</Kbd> <Kbd size="xs">Enter</Kbd> to create
        </span>
        <Button variant="default" disabled={isPending} onClick={() => save(true, open)}>
          Create and open
        </Button>
        <Button type="submit" loading={isPending}>
          Create
        </Button>
      </div>
    </form>
  )
}

const wide = new Set<string>(['long_text', 'multi_select'])

const isWide = ({ type, is_multi }: FieldShape) => wide.has(type) || (is_multi && type === 'relation')

const firstFew = 6

/** What a new record needs, what it begins with, and the first fields; then the rest. */
function createFields(object: ObjectShape, values: Values) {
  const own = object.fields.filter(({ is_read_only }) => !is_read_only)
  const owner = object.byKey.get('owner')
  const all = owner ? [...own, owner] : own
  const isFirst = (field: FieldShape, index: number) =>
    index < firstFew || field.is_required || (!isEmpty(values[field.key]) && isEmpty(field.default_value))
  const first = all.filter(isFirst)
  return { first, rest: all.filter((field) => !first.includes(field)) }
}
