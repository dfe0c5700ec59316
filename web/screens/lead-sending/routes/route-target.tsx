import { Select } from '@mantine/core'
import { ArrowUp, X } from 'lucide-react'
import { useSignedIn } from '../../../client/session.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import css from '../shared/lead-sending.module.css'
import type { Destination } from '../shared/queries.ts'
import type { Target } from './route-draft.ts'

type TargetProps = {
  of: Target
  at: number
  isWeighted: boolean
  destinations: Destination[]
  errors: Record<string, string>
  onChange: (target: Target) => void
  onUp: (() => void) | undefined
  onRemove: (() => void) | undefined
}

/** A destination with its price and caps. An empty cap is none. */
export function TargetFields({ of: target, at, isWeighted, destinations, errors, onChange, ...acts }: TargetProps) {
  const { onUp, onRemove } = acts
  const { caps } = target
  const { currency } = useSignedIn().company
  const destination = destinations.find(({ id }) => id === target.destination_id)
  const name = destination?.name ?? 'this destination'
  const cap = (window: 'hour' | 'day' | 'month' | 'total' | 'budget', label: string) => (
    <NumberField
      label={label}
      placeholder="No limit"
      isWhole={window !== 'budget'}
      min={window === 'budget' ? 0 : 1}
      value={caps[window] ?? ''}
      error={errors[`targets.${at}.caps.${window}`]}
      onChange={(value) => onChange({ ...target, caps: { ...caps, [window]: value === '' ? null : Number(value) } })}
    />
  )
  return (
    <section className={css.target} aria-label={name}>
      <div className={css.targetHead}>
        <Select
          label="Destination"
          data={destinations.map(({ id, name }) => ({ value: id, label: name }))}
          placeholder="Choose…"
          value={target.destination_id || null}
          error={errors[`targets.${at}.destination_id`] && 'Choose a destination'}
          onChange={(id) => id && onChange({ ...target, destination_id: id })}
        />
        <NumberField
          label={`Price per lead, ${currency}`}
          min={0}
          value={target.price}
          error={errors[`targets.${at}.price`]}
          onChange={(value) => onChange({ ...target, price: Number(value) })}
        />
        {isWeighted && (
          <NumberField
            label="Weight"
            isWhole
            min={1}
            value={target.weight}
            error={errors[`targets.${at}.weight`]}
            onChange={(value) => onChange({ ...target, weight: value === '' ? 1 : value })}
          />
        )}
        {onUp && <IconButton icon={ArrowUp} label={`Move ${name} up`} size={36} onClick={onUp} />}
        {onRemove && <IconButton icon={X} label={`Remove ${name}`} size={36} onClick={onRemove} />}
      </div>
      <div className={css.capFields}>
        {cap('hour', 'Per hour')}
        {cap('day', 'Per day')}
        {cap('month', 'Per month')}
        {cap('total', 'In total')}
        {cap('budget', `Budget, ${currency}`)}
        <Select
          label="Budget per"
          data={[
            { value: 'day', label: 'Day' },
            { value: 'month', label: 'Month' },
            { value: 'total', label: 'In total' },
          ]}
          value={caps.budget_per}
          onChange={(per) =>
            per && onChange({ ...target, caps: { ...caps, budget_per: per as typeof caps.budget_per } })
          }
        />
        {(destination?.http?.price_path || target.max_price !== null) && (
          <NumberField
            label={`Maximum price, ${currency}`}
            placeholder="No limit"
            min={0}
            value={target.max_price ?? ''}
            error={errors[`targets.${at}.max_price`]}
            onChange={(value) => onChange({ ...target, max_price: value === '' ? null : value })}
          />
        )}
      </div>
    </section>
  )
}
