import { useEffect, useId } from 'react'

const unsaved = new Set<string>()

/** Is there anything typed that leaving would lose? */
export const hasUnsaved = () => unsaved.size > 0

window.addEventListener('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault()
})

/** Lets a form say whether it holds something that was typed and not saved. */
export function useUnsaved() {
  const id = useId()
  useEffect(() => () => void unsaved.delete(id), [id])
  return (is: boolean) => void (is ? unsaved.add(id) : unsaved.delete(id))
}
