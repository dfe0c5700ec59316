import css from './initials.module.css'

/** The first letters of a name, in any script. */
export function Initials({ name, size = 28 }: { name: string; size?: number }) {
  const words = name.trim().split(/\s+/)
  const picked = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return (
    <span className={css.initials} style={{ width: size, height: size, fontSize: size * 0.4 }} aria-hidden="true">
      {picked.map((word) => [...word][0]?.toLocaleUpperCase() ?? '').join('')}
    </span>
  )
}
