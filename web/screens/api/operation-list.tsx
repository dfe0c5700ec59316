import { TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Lock, Search } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import { type ApiDocument, type ApiOperation, operationsByTag } from '../../../contract/document/api-document.ts'
import { fold } from '../../../contract/filter/fold.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { useSignedIn } from '../../client/session.ts'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { rightTo } from './description.ts'
import css from './operation-list.module.css'

type Props = { document: ApiDocument; chosen: string | undefined }
type Entry = { name: string; summary: string; method?: string; isLocked?: boolean }
type Group = { title: string; entries: Entry[] }

/** Every operation by its noun. What the caller's role does not allow has a lock. */
export const OperationList = memo(function OperationList({ document, chosen }: Props) {
  const { me } = useSignedIn()
  const [typed, setTyped] = useState('')
  const isAllowed = (operation: ApiOperation) => rightTo(operation['x-access'], me).isAllowed
  const named = objectNamed(useSchema(), typed)
  const found = groupsOf({ document, typed, isAllowed })
  const groups = named ? [...groupsOf({ document, typed: named.typed, isAllowed }).slice(0, 1), ...found] : found
  const list = useRef<HTMLElement>(null)
  // Someone who follows a link sees where the operation stands.
  useEffect(() => {
    if (chosen) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <nav aria-label="Operations" className={css.list} ref={list}>
      <TextInput
        className={css.search}
        aria-label="Search operations"
        placeholder="Search operations"
        leftSection={<Search size={14} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {groups.map(({ title, entries }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {entries.map((entry) => (
              <li key={entry.name}>
                <Link
                  to={pages.api}
                  search={({ object }) => ({ operation: entry.name, object: named?.object ?? object })}
                  aria-current={entry.name === chosen ? 'true' : undefined}
                  resetScroll={false}
                >
                  <span>{entry.summary}</span>
                  {entry.isLocked && <Lock size={12} role="img" aria-label="Not allowed by your role" />}
                  {entry.method && <Method name={entry.method} />}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {!groups.length && <p className={css.none}>No operation matches “{typed.trim()}”.</p>}
    </nav>
  )
})

/** "create person" asks for "create record" with the object People. */
function objectNamed(objects: ObjectShape[], typed: string) {
  const text = ` ${fold(typed.trim())} `
  for (const { key, label, label_plural } of objects)
    for (const name of [label_plural, label].map((one) => ` ${fold(one)} `))
      if (text.includes(name)) return { object: key, typed: text.replace(name, ' records ').trim() }
  return undefined
}

export const Method = ({ name }: { name: string }) => (
  <span className={css.method} data-method={name}>
    {name === 'DELETE' ? 'DEL' : name}
  </span>
)

type Asked = { document: ApiDocument; typed: string; isAllowed: (operation: ApiOperation) => boolean }

function groupsOf({ document, typed, isAllowed }: Asked): Group[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  const fits = (...texts: (string | undefined)[]) => {
    const text = fold(texts.join(' '))
    return words.every((word) => text.includes(word))
  }
  const operations = operationsByTag(document).map(({ tag, operations }): Group => {
    const title = tag['x-displayName']
    const fitting = operations.filter((one) =>
      fits(title, one.summary, one.operationId, one.path, one['x-tool'], one.description),
    )
    return {
      title,
      entries: fitting.map((one) => ({
        name: one.operationId,
        summary: nameOf(one.summary),
        method: one.method,
        isLocked: !isAllowed(one),
      })),
    }
  })
  const events = Object.entries(document.webhooks ?? {}).filter(([type, { post }]) =>
    fits('webhook event', type, post.summary),
  )
  const received = { title: 'Webhook events', entries: events.map(([type]) => ({ name: type, summary: type })) }
  return [...operations, received].filter(({ entries }) => entries.length)
}

/** What an operation does, without what follows: the page says that. */
const nameOf = (summary: string) => summary.split(/[;.:] |, newest/)[0]!
