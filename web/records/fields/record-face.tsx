import { Initials } from '../../ui/basics/avatar.tsx'
import { isBuiltIn } from '../data/built-in.ts'
import { useObject } from '../data/schema.ts'
import { type Look, ObjectIcon } from './object-icon.tsx'

type Props = { object: string; title: string; size: number; id?: string | undefined }

/** Beside a title: the initials of a name in a color of its own, or the icon of the object. */
export function RecordFace({ object: key, title, size, id }: Props) {
  const object = useObject(key)
  if (object && isBuiltIn(object, 'people', 'organizations', 'leads'))
    return <Initials name={title} size={size} seed={id} isSquare={isBuiltIn(object, 'organizations')} />
  return <ObjectIcon of={object ?? unknown} tile={size} />
}

const unknown: Look = { icon: 'box', color: 'gray' }
