// Where a list can be filtered, a key leads to its filter.
const asked = new EventTarget()

/** Whether anything on this page heard it. */
export const openFilter = () => !asked.dispatchEvent(new Event('open', { cancelable: true }))

export function hearFilter(listener: () => void) {
  const hear = (event: Event) => {
    event.preventDefault()
    listener()
  }
  asked.addEventListener('open', hear)
  return () => asked.removeEventListener('open', hear)
}
