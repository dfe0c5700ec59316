import { Button, type ButtonProps } from '@mantine/core'
import { Check, Copy, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useCopy } from './use-copy.ts'

type Props = ButtonProps & {
  value: string
  /** What is copied, for those who do not see what stands beside the button. */
  what?: string
  label?: string
  onCopied?: () => void
  /** Takes the focus as soon as it is drawn. */
  focused?: boolean
}

const faces = { copied: ['Copied', Check], failed: ['Copy by hand', TriangleAlert] } as const

export function CopyButton({ value, what, label = 'Copy', onCopied, focused, ...rest }: Props) {
  const { outcome, copy } = useCopy(value, onCopied)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focused) button.current?.focus()
  }, [focused])
  const [text, Icon] = outcome ? faces[outcome] : [label, Copy]
  return (
    <Button
      ref={button}
      variant="default"
      size="xs"
      leftSection={<Icon size={13} aria-hidden="true" />}
      onClick={copy}
      aria-label={outcome || !what ? text : `${label} ${what}`}
      {...rest}
    >
      {text}
    </Button>
  )
}
