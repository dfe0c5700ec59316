import type { ReactNode } from 'react'
import css from './avatar.module.css'

type Props = { name: string; pictureId?: string | null; size?: number }

/** The picture of somebody, or the first letters of the name, in any script. */
export function Initials({ name, pictureId, size = 28 }: Props) {
  if (pictureId) return <Picture id={pictureId} size={size} className={css.picture} />
  const words = name.trim().split(/\s+/)
  const picked = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return (
    <span className={css.initials} style={{ width: size, height: size, fontSize: size * 0.4 }} aria-hidden="true">
      {picked.map((word) => [...word][0]?.toLocaleUpperCase() ?? '').join('')}
    </span>
  )
}

type PictureProps = { id: string; className?: string; size?: number }

/** A stored picture. It only repeats what stands beside it, so screen readers pass it by. */
export const Picture = ({ id, className, size }: PictureProps) => (
  <img src={`/app/api/pictures/${id}`} alt="" className={className} width={size} height={size} draggable={false} />
)

/** A word about something, beside its name. */
export const Badge = ({ tone, children }: { tone?: 'accent' | 'warn'; children: ReactNode }) => (
  <span className={css.badge} data-tone={tone}>
    {children}
  </span>
)
