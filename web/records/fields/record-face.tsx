import { Initials } from '../../ui/basics/avatar.tsx'
import { useObject } from '../data/schema.ts'
import { type Look, ObjectIcon } from './object-icon.tsx'

const named = new Set(['people', 'organizations', 'leads'])

type Props = { object: string; title: string; size: number; id?: string | undefined }

/** Beside a title: the initials of a name in a color of its own, or the icon of the object. */
export function RecordFace({ object, title, size, id }: Props) {
  if (named.has(object)) return <Initials name={title} size={size} seed={id} isSquare={object === 'organizations'} />
  return <ObjectFace object={object} size={size} />
}

const unknown: Look = { icon: 'box', color: 'gray' }

const ObjectFace = ({ object, size }: Omit<Props, 'title'>) => (
  <ObjectIcon of={useObject(object) ?? unknown} tile={size} />
)
