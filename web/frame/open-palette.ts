// The palette is drawn once, in the frame; anything may ask for it.
const asked = new EventTarget()

export const openPalette = () => asked.dispatchEvent(new Event('open'))

export function hearPalette(listener: () => void) {
  asked.addEventListener('open', listener)
  return () => asked.removeEventListener('open', listener)
}
