import css from './prefix.module.css'

/** The beginning of a key, by which one recognises it. */
export const Prefix = ({ of, id }: { of: { prefix: string }; id?: string }) => (
  <code className={css.prefix} id={id}>
    {of.prefix}…
  </code>
)
