import { Button, Select, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { areasAbove, areasBelow, openTo } from '../client/areas.ts'
import { useSignedIn } from '../client/session.ts'
import { useSchema } from '../records/data/schema.ts'
import { ObjectIcon } from '../records/fields/object-icon.tsx'
import { allViewsQuery, ordered, useNavigation, useUpdateNavigation } from '../records/lists/navigation.ts'
import { IconButton } from '../ui/basics/icon-button.tsx'
import { Dialog, DialogActions } from '../ui/form/dialog.tsx'
import { moved, Sortable } from '../ui/form/reorder.tsx'
import css from './customize.module.css'

/** The order and visibility of what the sidebar shows. Saved with every change, for this user only. */
export const Customize = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Customize sidebar" tall onClose={onClose}>
    <p className={css.lead}>Only for you, on every device. Hidden entries stay in search.</p>
    <Objects />
    <PinnedViews />
    <OtherAreas />
    <DialogActions>
      <Button onClick={onClose}>Done</Button>
    </DialogActions>
  </Dialog>
)

function useVisibility() {
  const { hidden } = useNavigation()
  const update = useUpdateNavigation()
  const isShown = (key: string) => !hidden.includes(key)
  const show = (key: string, shown: boolean) => {
    const others = hidden.filter((one) => one !== key)
    update({ hidden: shown ? others : [...others, key] })
  }
  return { isShown, show }
}

function Objects() {
  const navigation = useNavigation()
  const update = useUpdateNavigation()
  const objects = ordered(useSchema(), navigation)
  const { isShown, show } = useVisibility()
  const keys = objects.map(({ key }) => key)
  return (
    <Sortable
      label="Objects in the sidebar"
      items={objects}
      keyOf={({ key }) => key}
      nameOf={({ label_plural }) => label_plural}
      onMove={(from, to) => update({ objects: moved(keys, from, to) })}
    >
      {(object) => (
        <>
          <ObjectIcon of={object} />
          <span className={css.name} dir="auto">
            {object.label_plural}
          </span>
          <Switch
            aria-label={`Show ${object.label_plural}`}
            checked={isShown(object.key)}
            onChange={(event) => show(object.key, event.currentTarget.checked)}
          />
        </>
      )}
    </Sortable>
  )
}

function PinnedViews() {
  const { pinned_views } = useNavigation()
  const update = useUpdateNavigation()
  const objects = useSchema()
  const { data: views = [] } = useQuery(allViewsQuery)
  const nameOf = ({ object, name }: { object: string; name: string }) =>
    `${objects.find(({ key }) => key === object)?.label_plural}: ${name}`
  const pinned = pinned_views.flatMap((id) => views.find((view) => view.id === id) ?? [])
  const ids = pinned.map(({ id }) => id)
  const others = views.filter(({ id }) => !ids.includes(id))
  if (!views.length) return null
  return (
    <>
      <h3 className={css.title}>Pinned views</h3>
      <Sortable
        label="Pinned views"
        items={pinned}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        onMove={(from, to) => update({ pinned_views: moved(ids, from, to) })}
      >
        {(view) => (
          <>
            <span className={css.name} dir="auto">
              {nameOf(view)}
            </span>
            <IconButton
              icon={X}
              label={`Unpin ${nameOf(view)}`}
              onClick={() => update({ pinned_views: ids.filter((id) => id !== view.id) })}
            />
          </>
        )}
      </Sortable>
      {others.length > 0 && (
        <Select
          aria-label="Pin a view"
          placeholder="Pin a view"
          searchable
          value={null}
          data={others.map((view) => ({ value: view.id, label: nameOf(view) }))}
          onChange={(id) => id && update({ pinned_views: [...ids, id] })}
        />
      )}
    </>
  )
}

function OtherAreas() {
  const { isShown, show } = useVisibility()
  const { may } = useSignedIn()
  const areas = openTo([...areasAbove, ...areasBelow], may).flatMap(({ id, label }) => (id ? [{ id, label }] : []))
  return (
    <>
      <h3 className={css.title}>Other areas</h3>
      <div className={css.areas}>
        {areas.map(({ id, label }) => (
          <div key={id} className={css.area}>
            <span>{label}</span>
            <Switch
              aria-label={`Show ${label}`}
              checked={isShown(id)}
              onChange={(event) => show(id, event.currentTarget.checked)}
            />
          </div>
        ))}
      </div>
    </>
  )
}
