import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { objectPage } from '../../../client/areas.ts'
import { keyFrom } from '../../../records/data/field-keys.ts'
import { type Look, ObjectIcon } from '../../../records/fields/object-icon.tsx'
import { Badge } from '../../../ui/basics/avatar.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { Dialog } from '../../../ui/form/dialog.tsx'
import { DialogSubmit, Form } from '../../../ui/form/form.tsx'
import { moved, Sortable } from '../../../ui/form/reorder.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { RowMenu } from '../../../ui/page/rows.tsx'
import { CompanyPage } from '../company-area.tsx'
import shared from '../entries.module.css'
import { LookField } from '../look-field.tsx'
import { type RecordObject, useSchemaChanged, useSchemaOrder, wholeSchemaQuery } from '../whole-schema.ts'
import { KeyInput } from './field-parts.tsx'
import css from './objects.module.css'

export function Objects() {
  const [adding, setAdding] = useState(false)
  return (
    <CompanyPage
      title="Objects and fields"
      lead="The kinds of records your company keeps and the fields of each. Changes take effect immediately everywhere."
      needs="objects.manage"
      actions={
        <Button leftSection={<Plus size={15} />} onClick={() => setAdding(true)}>
          New object
        </Button>
      }
    >
      <ObjectList />
      {adding && <NewObject onClose={() => setAdding(false)} />}
    </CompanyPage>
  )
}

function ObjectList() {
  const objects = useQuery(wholeSchemaQuery)
  const order = useSchemaOrder()
  return (
    <Loaded query={objects} what="objects" height={420}>
      {(all) => (
        <Sortable
          label="Objects"
          className={shared.panel}
          items={all}
          keyOf={({ key }) => key}
          nameOf={({ label_plural }) => label_plural}
          onMove={(from, position) =>
            order({
              apply: (now) => moved(now, from, position),
              send: () => api.updateObject({ object: all[from]!.key, position }),
            })
          }
        >
          {(object, _, moves) => (
            <>
              <ObjectRow of={object} />
              <RowMenu of={object.label_plural} actions={moves} />
            </>
          )}
        </Sortable>
      )}
    </Loaded>
  )
}

function ObjectRow({ of: object }: { of: RecordObject }) {
  const { key, label_plural, fields, is_built_in, is_archived } = object
  const count = fields.filter((field) => !field.is_archived).length
  return (
    <Link
      to={objectPage}
      params={{ object: key }}
      className={`${shared.entry} ${css.object}`}
      data-archived={is_archived || undefined}
    >
      <span className={shared.name}>
        <ObjectIcon of={object} tile={26} />
        <bdi>{label_plural}</bdi>
        {!is_built_in && <Badge tone="accent">Your own</Badge>}
        {is_archived && <Badge>Archived</Badge>}
      </span>
      <code className={shared.key}>{key}</code>
      <span className={css.count}>{count === 1 ? '1 field' : `${count} fields`}</span>
    </Link>
  )
}

function NewObject({ onClose }: { onClose: () => void }) {
  const changed = useSchemaChanged()
  const navigate = useNavigate()
  const { form, values, change, text, errors } = useForm({
    input: rulesOf(
      () => import('../../../../contract/objects.ts'),
      ({ objects }) => objects.createObject.input,
    ),
    initial: { label: '', label_plural: null as string | null, key: null as string | null, look: newLook },
    ask: (values) => ({ label: values.label, label_plural: pluralOf(values), key: keyOf(values), ...values.look }),
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
      <Form of={form} className={css.form}>
        <div className={css.fields}>
          <TextInput
            label="Singular name"
            placeholder="e.g. Project"
            autoComplete="off"
            data-autofocus
            {...text('label')}
          />
          <TextInput
            label="Plural name"
            placeholder="e.g. Projects"
            autoComplete="off"
            value={pluralOf(values)}
            error={errors.label_plural}
            onChange={(event) => change({ label_plural: event.currentTarget.value })}
          />
          <KeyInput value={keyOf(values)} error={errors.key} onChange={(key) => change({ key })} />
          <LookField value={values.look} onChange={(look) => change({ look })} />
        </div>
        <DialogSubmit of={form} action="Create object" onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

const newLook: Look = { icon: 'box', color: 'gray' }

type Values = { label: string; label_plural: string | null; key: string | null }

/** A suggestion until the user enters another one. */
const pluralOf = ({ label, label_plural }: Values) => label_plural ?? (label.trim() && many(label.trim()))
const keyOf = (values: Values) => values.key ?? keyFrom(pluralOf(values))

const many = (one: string) =>
  /[^aeiou]y$/i.test(one) ? `${one.slice(0, -1)}ies` : /(?:s|x|z|ch|sh)$/i.test(one) ? `${one}es` : `${one}s`
