// Quick create is drawn once, in the frame; anything may ask for it.
const asked = new EventTarget()

export const openCreate = (object?: string) => asked.dispatchEvent(new CustomEvent('create', { detail: object }))

export function hearCreate(listener: (object: string | undefined) => void) {
  const hear = (event: Event) => listener((event as CustomEvent<string | undefined>).detail ?? undefined)
  asked.addEventListener('create', hear)
  return () => asked.removeEventListener('create', hear)
}
