import { SegmentedControl, Select } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { Copy } from 'lucide-react'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { isCompared } from '../../records/data/compared.ts'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { pluralOf } from '../../records/data/value-text.ts'
import { useIsAdmin } from '../../roles/roles.ts'
import { Page } from '../../ui/basics/page.tsx'
import { Message, Missing } from '../../ui/basics/states.tsx'
import { AutomaticMerging } from './automatic.tsx'
import { DismissedPairs } from './dismissed-pairs.tsx'
import css from './duplicates.module.css'
import { GroupList } from './group-list.tsx'
import { type DuplicateSearch, readDuplicateSearch } from './search.ts'

const route = getRouteApi('/frame/duplicates/$object')

/** The records of an object that are probably the same. */
export function Duplicates() {
  const { object: key } = route.useParams()
  const search = readDuplicateSearch(route.useSearch())
  const navigate = route.useNavigate()
  const objects = useSchema()
  const isAdmin = useIsAdmin()
  const object = objects.find((one) => one.key === key && one.rights.read !== 'none')
  if (!object) return <Missing what="kind of record" back="/records" />
  const go = (object: string, show: DuplicateSearch['show']) =>
    void navigate({ params: { object }, search: readDuplicateSearch({ show }), replace: true })
  return (
    <Page
      title={`Duplicate ${pluralOf(object)}`}
      lead="Merging keeps one record, with the values you choose and everything that links to the others. You can undo it."
      wide
    >
      <search className={css.filters}>
        <Select
          aria-label="Object"
          data={objects.filter(isCompared).map((one) => ({ value: one.key, label: one.label_plural }))}
          searchable
          withCheckIcon={false}
          value={object.key}
          onChange={(next) => next && go(next, search.show)}
        />
        <SegmentedControl
          aria-label="Show"
          data={[
            { value: 'all', label: 'All' },
            { value: 'certain', label: 'Certain' },
            { value: 'dismissed', label: 'Dismissed' },
          ]}
          value={search.show ?? 'all'}
          onChange={(show) => go(object.key, show as DuplicateSearch['show'])}
        />
        {isAdmin && <AutomaticMerging />}
      </search>
      <Shown key={`${object.key} ${search.show}`} object={object} show={search.show} />
    </Page>
  )
}

function Shown({ object, show }: { object: ObjectShape; show: DuplicateSearch['show'] }) {
  if (!isCompared(object))
    return (
      <Message icon={Copy} title={`Kith does not look for duplicates among ${pluralOf(object)}`}>
        Two {inSentence(object.label_plural)} may well be alike.
      </Message>
    )
  return show === 'dismissed' ? <DismissedPairs object={object} /> : <GroupList object={object} show={show} />
}
