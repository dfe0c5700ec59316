import { type ReactNode, useState } from 'react'
import { UnsavedInside, useUnsavedInside } from '../../client/unsaved.ts'
import { isBuiltIn } from '../../records/data/built-in.ts'
import { isDeals } from '../../records/data/pipelines.ts'
import type { RecordShape } from '../../records/data/records-api.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { LeaveGuard, toAnotherRecord } from '../../records/lists/leave-guard.tsx'
import { PageTabs } from '../../ui/page/tabs.tsx'
import { DealLines } from './deal-lines.tsx'
import { FieldList } from './fields/field-list.tsx'
import { Files } from './files/files.tsx'
import css from './record.module.css'
import { RecordHeader } from './record-header.tsx'
import type { Steps } from './record-panel.tsx'
import related from './related/related.module.css'
import { Related } from './related/related.tsx'
import type { RecordSearch, RecordTab } from './tabs.ts'
import type { AskedFor, Composing } from './timeline/composer.tsx'
import { WholeNote } from './timeline/note.tsx'
import { Timeline } from './timeline/timeline.tsx'

type Props = {
  object: ObjectShape
  record: RecordShape
  search: RecordSearch
  onSearch: (search: RecordSearch) => void
  /** Beside a list, or on a phone: one part at a time, in tabs. */
  isSlim: boolean
  /** To its neighbours in the list. */
  steps: Steps
}

/** All there is about one record: the same on its page and beside a list. */
export function RecordView({ object, record, search, onSearch, isSlim, steps }: Props) {
  const [hasUnsaved, tellUnsaved] = useUnsavedInside()
  const [asked, setAsked] = useState<AskedFor>()
  const compose = (what: Composing) => {
    setAsked((last) => ({ what, count: (last?.count ?? 0) + 1 }))
    if (search.tab) onSearch({ ...search, tab: 'timeline' })
  }
  const parts: Record<RecordTab, ReactNode> = {
    timeline: (
      <>
        {isBuiltIn(object, 'notes') && <WholeNote notes={object} note={record} />}
        {isDeals(object) && <DealLines deals={object} deal={record} />}
        <Timeline
          object={object}
          record={record}
          only={search.show}
          onOnly={(show) => onSearch({ ...search, ...(show ? { show } : { show: undefined }) } as RecordSearch)}
          asked={asked}
          onAsk={compose}
        />
      </>
    ),
    details: <FieldList object={object} record={record} />,
    related: (
      <div className={related.groups}>
        <Files object={object} record={record} />
        <Related object={object} record={record} />
      </div>
    ),
  }
  return (
    <UnsavedInside value={tellUnsaved}>
      <LeaveGuard hasUnsaved={hasUnsaved} isLeaving={toAnotherRecord} />
      <div className={css.record}>
        <RecordHeader object={object} record={record} isSlim={isSlim} steps={steps} onCompose={compose} />
        {isSlim ? (
          <PageTabs
            label="About this record"
            of={labels}
            parts={parts}
            tab={search.tab ?? 'timeline'}
            onTab={(tab) => onSearch({ ...search, tab })}
            grow
          />
        ) : (
          <div className={css.columns}>
            <div className={css.side}>{parts.details}</div>
            <div className={css.main}>{parts.timeline}</div>
            <div className={css.side}>{parts.related}</div>
          </div>
        )}
      </div>
    </UnsavedInside>
  )
}

const labels: Record<RecordTab, string> = { timeline: 'Timeline', details: 'Details', related: 'Related' }
