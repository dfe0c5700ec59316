import { Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { useSignedIn } from '../../client/session.ts'
import { builtInObject } from '../../records/data/built-in.ts'
import { createdInPlace } from '../../records/data/create-in-place.ts'
import { valuesFromFilter, valuesFromRecord } from '../../records/data/known-values.ts'
import type { ToCreate } from '../../records/data/open-create.ts'
import { recordQuery } from '../../records/data/records-api.ts'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import type { Values } from '../../records/data/update-record.ts'
import { filterObjects } from '../../records/filter/tree.ts'
import { type ListSearch, viewsQuery } from '../../records/lists/list-search.ts'
import { say } from '../../ui/basics/notices.tsx'
import { Dialog } from '../../ui/form/dialog.tsx'
import css from './create.module.css'
import { CreateForm } from './create-form.tsx'

type Props = { asked: ToCreate; onClose: () => void }

/** A new record of any object, from anywhere. */
export function QuickCreate({ asked, onClose }: Props) {
  const objects = useSchema().filter(({ rights }) => rights.create)
  const { object: here } = useParams({ strict: false }) as { object?: string }
  const wanted = [asked.object, here, lastCreated()].flatMap((key) => objects.find((one) => one.key === key) ?? [])
  const [key, setKey] = useState((wanted[0] ?? builtInObject(objects, 'people') ?? objects[0])?.key)
  const object = objects.find((one) => one.key === key)
  const knownHere = useKnownHere()
  const isSaved = useRef(false)
  useEffect(() => createdInPlace.set([]), [])
  const close = () => {
    const [left] = isSaved.current ? [] : createdInPlace.get()
    if (left) say(`${left.title} was created. The new ${inSentence(object?.label ?? 'record')} was not created.`)
    onClose()
  }
  if (!object)
    return (
      <Dialog title="New record" onClose={onClose}>
        Your role does not allow creating records. Ask an Admin of your company.
      </Dialog>
    )
  const choose = (next: string | null) => {
    if (!next) return
    rememberCreated(next)
    setKey(next)
  }
  return (
    <Dialog
      size={600}
      tall
      grows
      onClose={close}
      title={
        <span className={css.title}>
          New
          <Select
            size="xs"
            aria-label="Kind of record"
            className={css.kind}
            data={objects.map((one) => ({ value: one.key, label: one.label }))}
            value={object.key}
            searchable
            withCheckIcon={false}
            onChange={choose}
          />
        </span>
      }
    >
      <CreateForm
        key={object.key}
        object={object}
        begin={{ ...knownHere(object), ...(asked.object === object.key && asked.values) }}
        onClose={onClose}
        onSaved={() => {
          isSaved.current = true
        }}
      />
    </Dialog>
  )
}

/** What a new record has in common with the page from which it is created: a filtered list, or a record. */
function useKnownHere() {
  const { me, company } = useSignedIn()
  const { object: key, id } = useParams({ strict: false }) as { object?: string; id?: string }
  const { filter, view } = useSearch({ strict: false }) as ListSearch
  const schema = useSchema()
  const client = useQueryClient()
  return (object: ObjectShape): Values => {
    const here = schema.find((one) => one.key === key)
    if (here && id)
      return valuesFromRecord(object, {
        object: here,
        id,
        record: client.getQueryData(recordQuery(here.key, id).queryKey),
      })
    if (!here || here.key !== object.key) return {}
    const shown = client.getQueryData(viewsQuery(here.key).queryKey)?.find((one) => one.id === view)
    const scope = { objects: filterObjects(schema), root: here.key }
    return valuesFromFilter(object, filter ?? shown?.filter ?? '', scope, { me: me.id, currency: company.currency })
  }
}

const place = 'kith.create'

/** The kind of record chosen last, stored in this browser. */
function lastCreated() {
  try {
    return localStorage.getItem(place) ?? undefined
  } catch {
    return undefined
  }
}

function rememberCreated(object: string) {
  try {
    localStorage.setItem(place, object)
  } catch {
    // A browser that keeps nothing begins with the first kind.
  }
}
