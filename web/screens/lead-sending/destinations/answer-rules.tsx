import { Checkbox, Select, TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { AddButton } from '../../../ui/form/add-button.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { Fold } from '../shared/fold.tsx'
import css from '../shared/lead-sending.module.css'
import type { Destination } from '../shared/queries.ts'

type Http = NonNullable<Destination['http']>
type Rule = Http['rules'][number]

export const resultWords: Record<Rule['result'], string> = {
  accepted: 'Accepted',
  rejected: 'Rejected',
  duplicate: 'Duplicate',
  again: 'Try again',
}

type Props = { of: Http; errors: Record<string, string>; onChange: (patch: Partial<Http>) => void }

/** What the answers of a partner mean. Most need nothing here. */
export function AnswerRules({
  of: { rules, reason_path, price_path, timeout_seconds, is_idempotent },
  errors,
  onChange,
}: Props) {
  const set = (at: number, patch: Partial<Rule>) =>
    onChange({ rules: rules.map((rule, i) => (i === at ? { ...rule, ...patch } : rule)) })
  const orNull = (text: string) => text.trim() || null
  return (
    <Fold
      title="Response rules"
      now={rules.length ? `${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}` : 'By status: 2xx is accepted'}
      isOpen={rules.length > 0}
    >
      <p className={css.hint}>
        Without rules, 2xx is accepted, 409 is a duplicate, 429 and 5xx are retried, and everything else is rejected.
        The first matching rule applies.
      </p>
      {rules.length > 0 && (
        <div className={css.ruleHead} aria-hidden="true">
          <span>Status</span>
          <span>JSON path</span>
          <span>Expected value</span>
          <span>Means</span>
        </div>
      )}
      <ul className={css.rules}>
        {rules.map((rule, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity but their place
          <li key={i}>
            <TextInput
              aria-label={`Status of rule ${i + 1}`}
              placeholder="Any status"
              value={rule.status ?? ''}
              error={errors[`http.rules.${i}.status`]}
              onChange={(event) => set(i, { status: orNull(event.currentTarget.value) })}
            />
            <TextInput
              aria-label={`JSON path of rule ${i + 1}`}
              placeholder="result.status"
              value={rule.path ?? ''}
              error={errors[`http.rules.${i}.path`] ?? errors[`http.rules.${i}`]}
              onChange={(event) => set(i, { path: orNull(event.currentTarget.value) })}
            />
            <TextInput
              aria-label={`Value of rule ${i + 1}`}
              placeholder="Any value"
              value={rule.equals === null ? '' : String(rule.equals)}
              onChange={(event) => set(i, { equals: event.currentTarget.value || null })}
            />
            <Select
              aria-label={`Meaning of rule ${i + 1}`}
              data={Object.entries(resultWords).map(([value, label]) => ({ value, label }))}
              value={rule.result}
              onChange={(result) => result && set(i, { result: result as Rule['result'] })}
            />
            <IconButton
              icon={X}
              label={`Remove rule ${i + 1}`}
              size={36}
              onClick={() => onChange({ rules: rules.filter((_, at) => at !== i) })}
            />
          </li>
        ))}
      </ul>
      <AddButton
        disabled={rules.length >= 20}
        onClick={() => onChange({ rules: [...rules, { status: null, path: null, equals: null, result: 'accepted' }] })}
      >
        Add rule
      </AddButton>
      <div className={css.row}>
        <TextInput
          label="JSON path of the reason"
          placeholder="error.message"
          value={reason_path ?? ''}
          error={errors['http.reason_path']}
          onChange={(event) => onChange({ reason_path: orNull(event.currentTarget.value) })}
        />
        <TextInput
          label="JSON path of the price"
          placeholder="price"
          value={price_path ?? ''}
          error={errors['http.price_path']}
          onChange={(event) => onChange({ price_path: orNull(event.currentTarget.value) })}
        />
        <NumberField
          label="Timeout (seconds)"
          isWhole
          min={1}
          max={15}
          value={timeout_seconds}
          error={errors['http.timeout_seconds']}
          onChange={(value) => onChange({ timeout_seconds: value === '' ? 10 : value })}
        />
      </div>
      <Checkbox
        label="Supports Idempotency-Key"
        description="It supports the Idempotency-Key header, so a lead that may have arrived can be sent again."
        checked={is_idempotent}
        onChange={(event) => onChange({ is_idempotent: event.currentTarget.checked })}
      />
    </Fold>
  )
}
