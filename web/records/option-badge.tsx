import css from './option-colors.module.css'
import type { FieldShape } from './schema.ts'

type Option = NonNullable<FieldShape['options']>[number]

const byKind = { open: 'blue', won: 'green', lost: 'gray' } as const

/** A choice of a select, in its colour. A key whose option is gone shows as it is. */
export function OptionBadge({ option, value }: { option: Option | undefined; value: string }) {
  const color = option?.color ?? (option?.kind && byKind[option.kind]) ?? 'gray'
  return (
    <span className={css.option} data-color={color}>
      <span>{option?.label ?? value}</span>
    </span>
  )
}
