import { Button, TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import { useId } from 'react'
import type * as z from 'zod'
import { mostHeaders } from '../../../contract/webhooks.ts'
import { check } from '../basics/errors.ts'
import { IconButton } from '../basics/icon-button.tsx'
import { AddButton } from './add-button.tsx'
import css from './header-list.module.css'

/** `value` null: the stored value, which cannot be read. */
export type Header = { id: string; name: string; value: string | null }

type Props = { headers: Header[]; errors: Record<string, string>; onChange: (headers: Header[]) => void }

/** Headers that the receiver asks for, such as a password of its own. */
export function HeaderList({ headers, errors, onChange }: Props) {
  const labelId = useId()
  const set = (id: string, patch: Partial<Header>) =>
    onChange(headers.map((header) => (header.id === id ? { ...header, ...patch } : header)))
  const add = () => onChange([...headers, { id: crypto.randomUUID(), name: '', value: '' }])
  return (
    <section aria-labelledby={labelId}>
      <div id={labelId} className={css.label}>
        Custom headers
      </div>
      {headers.length > 0 && (
        <ul className={css.headers}>
          {headers.map((header, index) => (
            <li key={header.id} className={css.header}>
              <TextInput
                aria-label={`Name of header ${index + 1}`}
                placeholder="Authorization"
                spellCheck={false}
                autoComplete="off"
                readOnly={header.value === null}
                value={header.name}
                error={errors[`headers.${header.name}`]}
                onChange={(event) => set(header.id, { name: event.currentTarget.value })}
              />
              {header.value === null ? (
                <div className={css.kept}>
                  Saved (hidden)
                  <Button variant="default" size="compact-sm" onClick={() => set(header.id, { value: '' })}>
                    Replace
                  </Button>
                </div>
              ) : (
                <TextInput
                  aria-label={`Value of header ${index + 1}`}
                  placeholder="Bearer …"
                  spellCheck={false}
                  autoComplete="off"
                  value={header.value}
                  onChange={(event) => set(header.id, { value: event.currentTarget.value })}
                />
              )}
              <IconButton
                icon={X}
                label={`Remove header ${header.name || index + 1}`}
                size={36}
                onClick={() => onChange(headers.filter(({ id }) => id !== header.id))}
              />
            </li>
          ))}
        </ul>
      )}
      <AddButton disabled={headers.length >= mostHeaders} onClick={add}>
        Add header
      </AddButton>
      <p className={css.about}>Values are stored encrypted. After saving, no one can read them.</p>
    </section>
  )
}

/** As the server takes them: what is stored and stays is left out, what was removed is null. */
export function headersOf(headers: Header[], stored: string[] = []) {
  const named = headers.map(({ name, value }) => ({ name: name.trim(), value })).filter(({ name }) => name)
  const removed = stored.filter((name) => !named.some((one) => one.name.toLowerCase() === name.toLowerCase()))
  return Object.fromEntries([
    ...removed.map((name): [string, string | null] => [name, null]),
    ...named.filter(({ value }) => value !== null).map(({ name, value }): [string, string | null] => [name, value]),
  ])
}

/** The rules of the contract. What is wrong with the name of a header is said inside of the error about it. */
export const errorsIn = (rules: z.ZodObject) => (sent: object) => {
  const errors = check(rules, sent as Record<string, unknown>)
  const issues = rules.safeParse(sent).error?.issues ?? []
  for (const issue of issues)
    if (issue.code === 'invalid_key') errors[issue.path.join('.')] = issue.issues[0]?.message ?? issue.message
  return errors
}
