import type { FieldError } from '../../contract/errors.ts'

/** The way to the record that has the value already. In a tab of its own: what was typed here stays. */
export const HeldBy = ({ of: { object, id, title } }: { of: NonNullable<FieldError['record']> }) => (
  <a href={`/records/${object}/${id}`} target="_blank" rel="noreferrer">
    Open <bdi>{title}</bdi>
  </a>
)
