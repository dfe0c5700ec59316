import { ActionIcon, Menu } from '@mantine/core'
import { Check } from 'lucide-react'
import { optionColors } from '../../../../contract/objects.ts'
import colors from '../../../records/option-colors.module.css'
import css from './option-list.module.css'
import type { Color } from './options.ts'

type Props = { of: string; value: Color | undefined; onChange: (color: Color) => void }

export const ColorChoice = ({ of: name, value = 'gray', onChange }: Props) => (
  <Menu position="bottom-start" width={148}>
    <Menu.Target>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        className={css.color}
        aria-label={`Colour of ${name}: ${value}`}
      >
        <Swatch color={value} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown aria-label={`Colour of ${name}`}>
      {optionColors.map((color) => (
        <Menu.Item
          key={color}
          className={css.color}
          leftSection={<Swatch color={color} />}
          rightSection={color === value && <Check size={14} aria-label="chosen" />}
          onClick={() => onChange(color)}
        >
          {color[0]!.toUpperCase() + color.slice(1)}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)

const Swatch = ({ color }: { color: Color }) => (
  <span className={`${colors.option} ${css.swatch}`} data-color={color} aria-hidden="true" />
)
