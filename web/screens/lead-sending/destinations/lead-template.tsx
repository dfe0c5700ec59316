import { Button, Textarea } from '@mantine/core'
import { useRef } from 'react'
import css from '../shared/lead-sending.module.css'
import { useLeads } from '../shared/queries.ts'

type Props = {
  label: string
  description: string
  /** In JSON, a value has a name. */
  isJson?: boolean
  value: string
  error: string | undefined
  onChange: (text: string) => void
}

/** A text with values of the lead, which can be put where the cursor is. */
export function LeadTemplate({ label, description, isJson = false, value, error, onChange }: Props) {
  const input = useRef<HTMLTextAreaElement>(null)
  const leads = useLeads()
  const fields = (leads?.fields ?? []).filter(({ type }) => type !== 'relation').slice(0, 12)
  const add = (name: string) => {
    const at = input.current?.selectionStart ?? value.length
    const end = input.current?.selectionEnd ?? at
    const [before, after] = [value.slice(0, at), value.slice(end)]
    onChange(isJson ? withMember(before, name, after) : `${before}{{ ${name} }}${after}`)
    input.current?.focus()
  }
  return (
    <div>
      <Textarea
        ref={input}
        label={label}
        description={description}
        autosize
        minRows={3}
        maxRows={14}
        spellCheck={false}
        classNames={{ input: css.code ?? '' }}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <fieldset className={css.names} aria-label={`Add a value to ${label}`}>
        {[...fields.map(({ key, label }) => ({ key, label })), { key: 'return_link', label: 'Return link' }].map(
          (field) => (
            <Button key={field.key} variant="default" size="compact-xs" onClick={() => add(field.key)}>
              {field.label}
            </Button>
          ),
        )}
      </fieldset>
    </div>
  )
}

/** Inside of quotes only the value; elsewhere with its name and the commas that it needs. */
function withMember(before: string, name: string, after: string) {
  if (!before.trim() && !after.trim()) return `{\n  "${name}": "{{ ${name} }}"\n}`
  const isText = (before.replaceAll('\\"', '').match(/"/g)?.length ?? 0) % 2 === 1
  if (isText || /:\s*$/.test(before)) return `${before}{{ ${name} }}${after}`
  // At the end, it still belongs inside.
  const [inside, rest] = after.trim() ? [before, after] : [before.replace(/\s*}\s*$/, ''), '\n}']
  const comma = /[{,]\s*$/.test(inside) ? '' : ','
  const next = /^\s*"/.test(rest) ? ',' : ''
  return `${inside}${comma}\n  "${name}": "{{ ${name} }}"${next}${rest}`
}
