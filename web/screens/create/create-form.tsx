import { Button, Checkbox, Kbd, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createFields } from '../../records/data/known-values.ts'
import type { RecordShape } from '../../records/data/records-api.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import type { Values } from '../../records/data/update-record.ts'
import { Existing } from '../../records/forms/existing.tsx'
import { NewRecordFields } from '../../records/forms/new-record.tsx'
import { modKey } from '../../ui/basics/keyboard.ts'
import { HeldBy } from '../../ui/basics/notices.tsx'
import { FormFailure } from '../../ui/basics/states.tsx'
import css from './create.module.css'
import { useCreate } from './use-create.ts'

type Props = { object: ObjectShape; begin: Values; onClose: () => void; onSaved: () => void }

export function CreateForm({ object, begin, onClose, onSaved }: Props) {
  const navigate = useNavigate()
  const [isAnother, setAnother] = useState(false)
  const isOpened = useRef(false)
  const done = ({ id }: RecordShape) => {
    onSaved()
    if (isOpened.current) {
      onClose()
      return void navigate({ to: '/records/$object/$id', params: { object: object.key, id } })
    }
    if (!isAnother) return onClose()
    flushSync(create.startAgain)
    create.form.formRef.current?.querySelector<HTMLElement>('[data-field] :is(input, textarea)')?.focus()
  }
  const create = useCreate(object, begin, done)
  const { form, values, errors, holder, draft, initial, version } = create
  const [isWhole, setWhole] = useState(false)
  // What shows at first does not depend on what is typed later.
  const [{ first, rest }] = useState(() => createFields(object, initial))
  const hasHiddenFault = rest.some(({ key }) => errors[key])
  const shown = isWhole || hasHiddenFault ? [...first, ...rest] : first
  const showRest = () => {
    flushSync(() => setWhole(true))
    form.formRef.current
      ?.querySelector<HTMLElement>(`[data-field="${rest[0]?.key}"] :is(input, textarea, button)`)
      ?.focus()
  }
  const save = (isOpen: boolean) => {
    isOpened.current = isOpen
    void form.submit()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.stopPropagation()
    save(event.shiftKey)
  }
  return (
    <form
      ref={form.formRef}
      noValidate
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault()
        save(false)
      }}
    >
      <FormFailure>{form.failure}</FormFailure>
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
              create.restoreDraft()
              if (rest.some(({ key }) => key in draft)) setWhole(true)
            }}
          >
            Restore draft
          </Button>
          <Button variant="subtle" color="gray" size="compact-xs" onClick={create.discardDraft}>
            Discard
          </Button>
        </p>
      )}
      <NewRecordFields
        key={version}
        object={object}
        fields={shown}
        values={values}
        errors={errors}
        onChange={create.change}
      />
      {rest.length > 0 && shown.length === first.length && (
        <UnstyledButton className={css.more} onClick={showRest}>
          <ChevronDown size={14} />
          More fields
        </UnstyledButton>
      )}
      <Existing object={object} values={values} initial={initial} />
      <div className={css.actions}>
        <Checkbox
          size="xs"
          className={css.another}
          label="Create another"
          checked={isAnother}
          onChange={(event) => setAnother(event.currentTarget.checked)}
        />
        <span className={css.hint}>
          <Kbd size="xs">{modKey}</Kbd> <Kbd size="xs">Enter</Kbd> to create
        </span>
        <Button variant="default" disabled={form.isPending} onClick={() => save(true)}>
          Create and open
        </Button>
        <Button type="submit" loading={form.isPending}>
          Create
        </Button>
      </div>
    </form>
  )
}
