import { Initials } from '../ui/initials.tsx'
import { iconOf } from './object-icons.ts'
import css from './record-face.module.css'

const named = new Set(['people', 'organizations', 'leads'])

/** Beside a title: the letters of somebody's name, or what kind of thing it is. */
export function RecordFace({ object, title, size }: { object: string; title: string; size: number }) {
  if (named.has(object)) return <Initials name={title} size={size} />
  const Icon = iconOf(object)
  return (
    <span className={css.face} style={{ width: size, height: size }} aria-hidden="true">
      <Icon size={size * 0.55} strokeWidth={1.75} />
    </span>
  )
}
