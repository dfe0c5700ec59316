import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Contact, Plus } from 'lucide-react'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { openCreate } from '../../records/data/open-create.ts'
import { countQuery } from '../../records/data/records-api.ts'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { ObjectIcon } from '../../records/fields/object-icon.tsx'
import { lastList } from '../../records/lists/list-search.ts'
import { ordered, useNavigation } from '../../records/lists/navigation.ts'
import { IconButton } from '../../ui/basics/icon-button.tsx'
import { Page } from '../../ui/basics/page.tsx'
import { Message } from '../../ui/basics/states.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import css from './overview.module.css'

/** Every object that the user may read, hidden ones too, with how many records it has. */
export function RecordsOverview() {
  const objects = ordered(useSchema(), useNavigation())
  const counts = useQueries({ queries: objects.map(({ key }) => countQuery({ object: key, filter: '' })) })
  if (!objects.length)
    return (
      <Page title="Records">
        <Message icon={Contact} title="You can't see any records">
          Your role gives no access to records. Ask an Admin of your company.
        </Message>
      </Page>
    )
  return (
    <Page title="Records" lead="All your company’s records, by object." wide>
      <ul aria-label="All objects" className={css.objects}>
        {objects.map((object, index) => (
          <ObjectCard key={object.key} of={object} total={counts[index]?.data} />
        ))}
      </ul>
    </Page>
  )
}

type Total = { count: number; is_exact: boolean }

function ObjectCard({ of: object, total }: { of: ObjectShape; total: Total | undefined }) {
  return (
    <li className={css.object}>
      <ObjectIcon of={object} tile={34} />
      <div className={css.text}>
        <Link
          to="/records/$object"
          params={{ object: object.key }}
          search={lastList(object.key)}
          className={css.name}
          dir="auto"
        >
          {object.label_plural}
        </Link>
        <span className={css.count}>{total ? countOf(total) : ' '}</span>
      </div>
      {object.rights.create && (
        <IconButton
          icon={Plus}
          label={`New ${inSentence(object.label)}`}
          size={34}
          className={css.add}
          aria-haspopup="dialog"
          onClick={() => openCreate(object.key)}
        />
      )}
    </li>
  )
}

function countOf({ count, is_exact }: Total) {
  if (!count) return 'None yet'
  return `${asNumber(count)}${is_exact ? '' : '+'} ${count === 1 ? 'record' : 'records'}`
}
