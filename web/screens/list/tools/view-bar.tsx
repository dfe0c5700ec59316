import { Button, CloseButton, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Save, Undo2, Users } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { useViewChange, type View } from '../../../records/lists/list-search.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { complain, say } from '../../../ui/basics/notices.tsx'
import css from './list.module.css'
import { NewView, ViewMenu } from './view-menu.tsx'

/** Saved views as tabs, and what to do when the list is no longer as its view has it. */
export const ViewBar = memo(function ViewBar({ object, state }: { object: ObjectShape; state: ListState }) {
  const { view, views } = state
  const isOurs = useIsOurs(view)
  const tabs = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view is another tab to bring into sight
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [view?.id])
  return (
    <div className={css.bar}>
      <nav ref={tabs} aria-label="Views" className={css.tabs}>
        <Tab object={object} label={`All ${inSentence(object.label_plural)}`} isHere={!view} />
        {views.map((one) => (
          <Tab
            key={one.id}
            object={object}
            label={one.name}
            id={one.id}
            isHere={view?.id === one.id}
            isShared={one.is_shared}
          />
        ))}
      </nav>
      {view && <ViewMenu state={state} view={view} isOurs={isOurs} />}
      <SaveView object={object} state={state} />
    </div>
  )
})

/** Shared views may be changed by Admins, too. */
function useIsOurs(view: View | undefined) {
  const { me } = useSignedIn()
  return view !== undefined && (view.is_mine || (view.is_shared && me.is_admin))
}

/** When the list is no longer as its view has it. */
export function SaveView({ object, state }: { object: ObjectShape; state: ListState }) {
  const [isNaming, setNaming] = useState(false)
  const { view } = state
  const isOurs = useIsOurs(view)
  const save = useViewChange(api.updateView)
  const { filter, sort, columns, type, groupBy, collapsed, layout } = state
  const content = { filter: filter || null, sort, columns, type, group_by: groupBy, collapsed, layout }
  const update = () =>
    view &&
    save.mutate(
      { id: view.id, ...content },
      {
        onSuccess: () => {
          state.openView(view.id)
          say('View saved.')
        },
        onError: (error) => complain('The view was not saved', error),
      },
    )
  if (!state.isChanged && !isNaming) return null
  return (
    <>
      <div className={css.changed}>
        <Button variant="subtle" color="gray" size="compact-sm" leftSection={<Undo2 size={13} />} onClick={state.reset}>
          Reset
        </Button>
        {view && isOurs ? (
          <Menu position="bottom-end" width={190}>
            <Menu.Target>
              <Button variant="subtle" size="compact-sm" leftSection={<Save size={13} />} loading={save.isPending}>
                Save view
              </Button>
            </Menu.Target>
            <Menu.Dropdown aria-label="Save view">
              <Menu.Item onClick={update}>{`Save to “${view.name}”`}</Menu.Item>
              <Menu.Item onClick={() => setNaming(true)}>Save as a new view</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        ) : (
          <Button variant="subtle" size="compact-sm" leftSection={<Save size={13} />} onClick={() => setNaming(true)}>
            Save as view
          </Button>
        )}
      </div>
      {isNaming && (
        <NewView
          content={{ object: object.key, ...content }}
          onDone={(made) => {
            setNaming(false)
            state.openView(made.id)
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}

type TabProps = { object: ObjectShape; label: string; id?: string; isHere: boolean; isShared?: boolean }

const Tab = ({ object, label, id, isHere, isShared }: TabProps) => (
  <Link
    to="/records/$object"
    params={{ object: object.key }}
    search={id ? { view: id } : {}}
    className={css.tab}
    data-here={isHere || undefined}
    aria-current={isHere ? 'page' : undefined}
    activeProps={{}}
  >
    <span dir="auto">{label}</span>
    {isShared && <Users size={12} role="img" aria-label="Shared" />}
  </Link>
)

/** Instead of a view of somebody else: what one sees is not what they see. */
export const Unshared = ({ object, state }: { object: ObjectShape; state: ListState }) => (
  <div role="status" className={css.unshared}>
    <span>
      You don’t have access to this view.{' '}
      {state.isChanged ? 'Showing what the link contains.' : `Showing all ${inSentence(object.label_plural)}.`}
    </span>
    <CloseButton size="sm" aria-label="Dismiss" onClick={state.forgetUnshared} />
  </div>
)

/** A list that shows too little because its view broke must not look like one without records. */
export function BrokenView({ state: { view, filter } }: { state: ListState }) {
  if (!view?.filter_error || filter !== view.filter) return null
  return (
    <div role="status" className={css.unshared}>
      <span>
        The filter of “<bdi>{view.name}</bdi>” no longer works. {view.filter_error}
      </span>
    </div>
  )
}
