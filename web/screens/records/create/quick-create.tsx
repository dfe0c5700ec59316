import { Select } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { ToCreate } from '../../../records/open-create.ts'
import { useSchema } from '../../../records/schema.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import css from './create.module.css'
import { CreateForm } from './create-form.tsx'

type Props = { asked: ToCreate; onClose: () => void }

/** A new record of any object, from anywhere. */
export function QuickCreate({ asked, onClose }: Props) {
  const objects = useSchema().filter(({ rights }) => rights.create)
  const { object: here } = useParams({ strict: false }) as { object?: string }
  const wanted = [asked.object, here, lastCreated(), 'people'].flatMap(
    (key) => objects.find((one) => one.key === key) ?? [],
  )
  const [key, setKey] = useState((wanted[0] ?? objects[0])?.key)
  const object = objects.find((one) => one.key === key)
  if (!object)
    return (
      <Dialog title="New record" onClose={onClose}>
        Your role lets you create no kind of record. Ask an Admin of your company.
      </Dialog>
    )
  const choose = (next: string | null) => {
    if (!next) return
    rememberCreated(next)
    setKey(next)
  }
  return (
    <Dialog
      size={560}
      tall
      onClose={onClose}
      title={
        <span className={css.title}>
          New
          <Select
            size="xs"
            aria-label="Kind of record"
            className={css.kind}
            data={objects.map((one) => ({ value: one.key, label: one.label }))}
            value={object.key}
            allowDeselect={false}
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
        begin={asked.object === object.key ? asked.values : undefined}
        onClose={onClose}
      />
    </Dialog>
  )
}

const place = 'kith.create'

/** The kind of record that somebody chose last, kept in this browser. */
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
