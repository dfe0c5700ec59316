import css from './api-page.module.css'
import { Marked } from './schema-tree.tsx'

type Props = { of: { status: string; description: string }[] }

export const ErrorList = ({ of }: Props) => (
  <dl className={css.errors}>
    {of.map(({ status, description }) => (
      <div key={status}>
        <dt>{status}</dt>
        <dd>
          <Marked text={description} />
        </dd>
      </div>
    ))}
  </dl>
)
