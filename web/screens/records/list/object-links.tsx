import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lastList } from '../../../records/remembered.ts'
import { schemaQuery } from '../../../records/schema.ts'
import css from './object-links.module.css'

/** The objects below "Records" in the navigation, while one is there. Each opens as one left it. */
export function ObjectLinks() {
  const { data } = useQuery(schemaQuery)
  const objects = data?.filter(({ rights }) => rights.read !== 'none') ?? []
  if (!objects.length) return null
  return (
    <ul className={css.links} aria-label="Kinds of records">
      {objects.map(({ key, label_plural }) => (
        <li key={key}>
          <Link
            to="/records/$object"
            params={{ object: key }}
            search={() => lastList(key)}
            activeOptions={{ includeSearch: false }}
            className={css.link}
          >
            {label_plural}
          </Link>
        </li>
      ))}
    </ul>
  )
}
