import { CopyCode } from '../ui/text/code.tsx'
import css from './channels.module.css'

/** Addresses and tokens to copy elsewhere, each whole. */
export const CopiedValues = ({ of: values }: { of: { label: string; value: string }[] }) => (
  <dl className={css.addresses}>
    {values.map(({ label, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>
          <CopyCode value={value} what={label} whole />
        </dd>
      </div>
    ))}
  </dl>
)
