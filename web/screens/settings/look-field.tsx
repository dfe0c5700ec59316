import { VisuallyHidden } from '@mantine/core'
import { useId } from 'react'
import { objectIcons, optionColors } from '../../../contract/objects.ts'
import { type Look, ObjectIcon } from '../../records/fields/object-icon.tsx'
import css from './look-field.module.css'

type Props = { value: Look; onChange: (look: Look) => void }

/** The icon and color of an object. */
export const LookField = ({ value, onChange }: Props) => (
  <div className={css.look}>
    <ColorField value={value.color} onChange={(color) => onChange({ ...value, color })} />
    <Choice
      label="Icon"
      all={objectIcons}
      chosen={value.icon}
      onChange={(icon) => onChange({ ...value, icon })}
      draw={(icon) => <ObjectIcon of={{ ...value, icon }} size={17} />}
    />
  </div>
)

type Color = Look['color']

export const ColorField = ({ value, onChange }: { value: Color; onChange: (color: Color) => void }) => (
  <Choice
    label="Color"
    all={optionColors}
    chosen={value}
    onChange={onChange}
    draw={(color) => <span className={css.swatch} data-hue={color} />}
  />
)

type ChoiceProps<Name extends string> = {
  label: string
  all: readonly Name[]
  chosen: Name
  onChange: (name: Name) => void
  draw: (name: Name) => React.ReactNode
}

/** Radio buttons, so that the arrow keys move between them. */
function Choice<Name extends string>({ label, all, chosen, onChange, draw }: ChoiceProps<Name>) {
  const name = useId()
  return (
    <fieldset className={css.choice}>
      <legend>{label}</legend>
      {all.map((one) => (
        <label key={one} className={css.one} title={nameOf(one)}>
          <input type="radio" name={name} checked={one === chosen} onChange={() => onChange(one)} />
          {draw(one)}
          <VisuallyHidden>{nameOf(one)}</VisuallyHidden>
        </label>
      ))}
    </fieldset>
  )
}

const nameOf = (key: string) => key.charAt(0).toUpperCase() + key.slice(1).replaceAll('-', ' ')
