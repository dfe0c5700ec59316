import { TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { AddButton } from '../../../ui/form/add-button.tsx'
import { PasswordField } from '../../../ui/form/form.tsx'
import { Fold } from '../shared/fold.tsx'
import css from '../shared/lead-sending.module.css'
import { useLeads } from '../shared/queries.ts'

/** `field`: its key in the other Kith. `value`: a text with values of the lead. */
export type Mapped = { id: string; field: string; value: string }

export const mappingOf = (mapping: Mapped[]) =>
  Object.fromEntries(mapping.map(({ field, value }) => [field.trim(), value] as const).filter(([field]) => field))

type Values = { kith_url: string; source_id: string; api_key: string; mapping: Mapped[] }
type Props = {
  of: {
    values: Values
    change: (patch: Partial<Values>) => void
    errors: Record<string, string>
    text: (field: 'kith_url' | 'source_id' | 'api_key') => object
    isStored: boolean
  }
}

/** Where the other Kith is, and which of our values becomes which of its fields. */
export function KithFields({ of: { values, change, errors, text, isStored } }: Props) {
  return (
    <>
      <TextInput
        label="URL of the other Kith"
        placeholder="https://kith.example.com"
        spellCheck={false}
        autoComplete="off"
        {...text('kith_url')}
        error={errors['kith.url'] ?? errors.kith}
      />
      <div className={css.row}>
        <TextInput
          label="ID of its lead source"
          description="Its Admin can find it under Lead sending, Incoming"
          spellCheck={false}
          autoComplete="off"
          {...text('source_id')}
          error={errors['kith.source_id']}
        />
        <PasswordField
          label="API key"
          description="From a user of the other Kith. Stored encrypted"
          placeholder={isStored ? 'Saved (hidden)' : undefined}
          autoComplete="off"
          {...text('api_key')}
          error={errors.api_key}
        />
      </div>
      <Mapping mapping={values.mapping} errors={errors} onChange={(mapping) => change({ mapping })} />
    </>
  )
}

type MappingProps = { mapping: Mapped[]; errors: Record<string, string>; onChange: (mapping: Mapped[]) => void }

function Mapping({ mapping, errors, onChange }: MappingProps) {
  const leads = useLeads()
  const set = (id: string, patch: Partial<Mapped>) =>
    onChange(mapping.map((one) => (one.id === id ? { ...one, ...patch } : one)))
  const row = (field: string) => ({ id: crypto.randomUUID(), field, value: field && `{{ ${field} }}` })
  /** The first one brings the usual fields along, to be changed. */
  const start = () =>
    usual.filter((key) => leads?.fields.some((field) => (field.built_in_key ?? field.key) === key)).map(row)
  return (
    <Fold
      title="Fields"
      now={mapping.length ? `${mapping.length} chosen` : 'The built-in fields'}
      isOpen={mapping.length > 0}
    >
      <p className={css.hint}>
        By default, the built-in fields are sent. To send others, map values to fields of the other Kith.
      </p>
      {mapping.length > 0 && (
        <ul className={css.mapping} aria-label="Fields">
          {mapping.map(({ id, field, value }, i) => (
            <li key={id}>
              <TextInput
                aria-label={`Field ${i + 1} in the other Kith`}
                placeholder="email"
                spellCheck={false}
                autoComplete="off"
                value={field}
                onChange={(event) => set(id, { field: event.currentTarget.value })}
              />
              <TextInput
                aria-label={`Value of field ${i + 1}`}
                placeholder="{{ email }}"
                spellCheck={false}
                autoComplete="off"
                value={value}
                error={errors[`kith.values.${field.trim()}`]}
                onChange={(event) => set(id, { value: event.currentTarget.value })}
              />
              <IconButton
                icon={X}
                label={`Remove field ${field || i + 1}`}
                size={36}
                onClick={() => onChange(mapping.filter((one) => one.id !== id))}
              />
            </li>
          ))}
        </ul>
      )}
      <AddButton onClick={() => onChange(mapping.length ? [...mapping, row('')] : start())}>
        {mapping.length ? 'Add field' : 'Choose fields'}
      </AddButton>
    </Fold>
  )
}

const usual = ['first_name', 'last_name', 'email', 'phone', 'company_name', 'message']
