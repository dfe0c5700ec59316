import { Button, Skeleton } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { objectPage } from '../../../client/areas.ts'
import { iconOf } from '../../../records/object-icons.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { complain } from '../../../ui/notices.tsx'
import { CompanyPage } from '../company-page.tsx'
import shared from './entries.module.css'
import { moved } from './moved.ts'
import { NewObject } from './new-object.tsx'
import css from './objects.module.css'
import { Sortable } from './sortable.tsx'
import { type RecordObject, useReorderedSchema, useSchemaChanged, wholeSchemaQuery } from './whole-schema.ts'

export function Objects() {
  const [adding, setAdding] = useState(false)
  return (
    <CompanyPage
      title="Objects and fields"
      lead="What your company keeps records of, and what each record holds. Lists, forms, filters and agents follow at once."
      needs="objects.manage"
      actions={
        <Button leftSection={<Plus size={15} aria-hidden="true" />} onClick={() => setAdding(true)}>
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
  const reorder = useReorderedSchema()
  const changed = useSchemaChanged()
  const { mutate } = useMutation({
    mutationFn: ({ object, position }: { object: string; position: number }) => api.updateObject({ object, position }),
    onError: (error) => complain('The order could not be saved', error),
    onSettled: changed,
  })
  if (objects.isPending) return <Skeleton height={420} radius="lg" role="status" aria-label="Loading objects" />
  if (!objects.data) return <Failure error={objects.error} onRetry={objects.refetch} busy={objects.isFetching} />
  const all = objects.data
  return (
    <Sortable
      label="Objects"
      className={shared.panel}
      items={all}
      keyOf={({ key }) => key}
      nameOf={({ label_plural }) => label_plural}
      onMove={(from, position) => {
        void reorder((now) => moved(now, from, position))
        mutate({ object: all[from]!.key, position })
      }}
    >
      {(object) => <ObjectRow of={object} />}
    </Sortable>
  )
}

function ObjectRow({ of: { key, label_plural, fields, is_built_in, is_archived } }: { of: RecordObject }) {
  const Icon = iconOf(key)
  const count = fields.filter((field) => !field.is_archived).length
  return (
    <Link
      to={objectPage}
      params={{ object: key }}
      className={`${shared.entry} ${css.object}`}
      data-archived={is_archived || undefined}
    >
      <span className={shared.name}>
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" className={shared.icon} />
        <bdi>{label_plural}</bdi>
        {!is_built_in && <Badge tone="accent">Your own</Badge>}
        {is_archived && <Badge>Archived</Badge>}
      </span>
      <code className={shared.key}>{key}</code>
      <span className={css.count}>{count === 1 ? '1 field' : `${count} fields`}</span>
    </Link>
  )
}
