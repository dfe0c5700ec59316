import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { UnsavedInside, useUnsavedInside } from '../../../client/unsaved.ts'
import { ChangeHistory } from '../../../history/change-history.tsx'
import type { RecordShape } from '../../../records/records-api.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { LeaveGuard, toAnotherRecord } from '../list/leave-guard.tsx'
import { Activities } from './activities/activities.tsx'
import { FieldList } from './fields/field-list.tsx'
import { WholeNote } from './notes/note.tsx'
import { Notes } from './notes/notes.tsx'
import css from './record.module.css'
import { Related } from './related/related.tsx'
import { useAboutObject } from './related/relations.ts'
import type { RecordTab } from './tabs.ts'
import { Tasks } from './tasks/tasks.tsx'

type Props = {
  object: ObjectShape
  record: RecordShape
  tab: RecordTab
  onTab: (tab: RecordTab) => void
  /** Beside a list, or on a phone: the fields stand above the rest. */
  isSlim: boolean
  header: ReactNode
}

/** All there is about one record: the same on its page and beside a list. */
export function RecordView({ object, record, tab, onTab, isSlim, header }: Props) {
  const activities = useAboutObject('activities', object)
  const chosen = tab === 'activities' && !activities ? 'overview' : tab
  const [hasUnsaved, tellUnsaved] = useUnsavedInside()
  return (
    <UnsavedInside value={tellUnsaved}>
      <LeaveGuard hasUnsaved={hasUnsaved} isLeaving={toAnotherRecord} />
      <div className={css.record}>
        {header}
        <div className={css.columns}>
          <div className={css.side}>
            <FieldList object={object} record={record} isShort={isSlim} />
          </div>
          <Tabs
            value={chosen}
            onChange={(next) => onTab(next as RecordTab)}
            keepMounted={false}
            className={css.main}
            classNames={{ list: css.tabs, tab: css.tab, panel: css.panel }}
          >
            <Tabs.List aria-label="About this record">
              <Tabs.Tab value="overview">Overview</Tabs.Tab>
              {activities && <Tabs.Tab value="activities">Activities</Tabs.Tab>}
              <Tabs.Tab value="history">History</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="overview">
              <Overview object={object} record={record} />
            </Tabs.Panel>
            {activities && (
              <Tabs.Panel value="activities">
                <Activities object={object} activities={activities} record={record} />
              </Tabs.Panel>
            )}
            <Tabs.Panel value="history">
              <ChangeHistory record_id={record.id} />
            </Tabs.Panel>
          </Tabs>
        </div>
      </div>
    </UnsavedInside>
  )
}

function Overview({ object, record }: Pick<Props, 'object' | 'record'>) {
  const tasks = useAboutObject('tasks', object)
  const notes = useAboutObject('notes', object)
  return (
    <>
      {object.key === 'notes' && <WholeNote notes={object} note={record} />}
      {tasks && <Tasks object={object} tasks={tasks} record={record} />}
      {notes && <Notes object={object} notes={notes} record={record} />}
      <Related object={object} record={record} />
    </>
  )
}
