import { useShortcutsOn } from '../../account/choices.ts'
import { type Keys, useKeys } from '../../ui/basics/keys.ts'

/** What Enter opens or presses itself. The conversation that is shown is open already. */
const pressed = 'a:not([aria-current="true"]), button, input'

const presses = ({ target }: KeyboardEvent) => target instanceof Element && target.closest(pressed) !== null

/** Keys for triage, before those of the frame, and none but undo when single keys are switched off. */
export function useTriageKeys(keys: Keys) {
  const [isOn] = useShortcutsOn()
  const enter = (event: KeyboardEvent) => (presses(event) ? false : keys.Enter?.(event))
  useKeys({ ...(isOn && { ...keys, Enter: enter }), 'Mod+z': keys.z }, { isFirst: true })
}
