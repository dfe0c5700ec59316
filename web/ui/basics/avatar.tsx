import type { ReactNode } from 'react'
import css from './avatar.module.css'

/** `seed`: what the color comes from, such as an ID, so that it stays with a new name. */
type Props = { name: string; pictureId?: string | null; size?: number; seed?: string | undefined; isSquare?: boolean }

/** A user's picture, or the initials of the name, in any script. */
export function Initials({ name, pictureId, size = 28, seed = name, isSquare = false }: Props) {
  if (pictureId) return <Picture id={pictureId} size={size} className={css.picture} />
  const words = name.trim().split(/\s+/)
  const picked = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return (
    <span
      className={css.initials}
      data-square={isSquare || undefined}
      data-hue={hueOf(seed)}
      style={{ width: size, height: size, fontSize: size * 0.4 }}
      aria-hidden="true"
    >
      {picked.map((word) => [...word][0]?.toLocaleUpperCase() ?? '').join('')}
    </span>
  )
}

const hues = 10

function hueOf(seed: string) {
  let sum = 0
  for (let i = 0; i < seed.length; i++) sum = (sum * 31 + seed.charCodeAt(i)) % 65_521
  return sum % hues
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
