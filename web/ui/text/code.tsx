import { ActionIcon, Button, type ButtonProps, TextInput, type TextInputProps, Tooltip } from '@mantine/core'
import { Check, Copy, TriangleAlert } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import css from './code.module.css'

type Props = {
  code: string
  /** What it is: the name of the copy button. */
  what: string
  /** Shown above, such as the file it belongs in. */
  caption?: string
  /** What is copied if lines were broken for reading only. */
  copies?: string
  /** Long lines are broken, for what one wants to see whole. */
  wraps?: boolean
  onCopied?: () => void
}

/** Lines for a machine, exactly as they are to be pasted. */
export const CodeBlock = ({ code, what, caption, copies = code, wraps, onCopied }: Props) => (
  <div className={css.block}>
    <div className={css.bar}>
      <span>{caption ?? what}</span>
      <CopyButton value={copies} what={what} variant="subtle" color="gray" onCopied={onCopied} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <pre tabIndex={0} data-wraps={wraps || undefined}>
      <code>{code}</code>
    </pre>
  </div>
)

type CodeFieldProps = Omit<TextInputProps, 'onChange'> & { onChange: (code: string) => void; isPending: boolean }

/** Six digits of an authenticator app; they are sent as soon as all are there, spaces or not. */
export function CodeField({ onChange, isPending, ...rest }: CodeFieldProps) {
  const change = ({ currentTarget: { value, form } }: ChangeEvent<HTMLInputElement>) => {
    const code = value.replace(/\s/g, '')
    onChange(code)
    if (!isPending && /^\d{6}$/.test(code)) form?.requestSubmit()
  }
  return (
    <TextInput
      label="Code"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={12}
      classNames={{ input: css.code }}
      {...rest}
      onChange={change}
    />
  )
}

type CopyCodeProps = { value: string; what: string; whole?: boolean; onCopied?: () => void }

/** A value to hand on by machine: monospace, shortened to the eye unless it is wanted whole, copied in full. */
export function CopyCode({ value, what, whole, onCopied }: CopyCodeProps) {
  const { outcome, copy } = useCopy(value, onCopied)
  const label =
    outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Select it and copy it manually' : `Copy ${what}`
  return (
    <span className={css.copyCodeCode} data-whole={whole || undefined}>
      <code title={whole ? undefined : value}>{value}</code>
      <Tooltip label={label}>
        <ActionIcon variant="subtle" color="gray" size={24} onClick={copy} aria-label={`Copy ${value}`}>
          {outcome === 'copied' ? <Check size={13} /> : <Copy size={13} />}
        </ActionIcon>
      </Tooltip>
    </span>
  )
}

type CopyButtonProps = ButtonProps & {
  value: string
  /** What is copied, for those who do not see what stands beside the button. */
  what?: string
  label?: string
  onCopied?: () => void
  /** Takes the focus as soon as it is drawn. */
  focused?: boolean
}

const faces = { copied: ['Copied', Check], failed: ['Copy manually', TriangleAlert] } as const

export function CopyButton({ value, what, label = 'Copy', onCopied, focused, ...rest }: CopyButtonProps) {
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
      leftSection={<Icon size={13} />}
      onClick={copy}
      aria-label={outcome || !what ? text : `${label} ${what}`}
      {...rest}
    >
      {text}
    </Button>
  )
}

/** Copies a text. Over plain http, as on a local network, browsers offer only the older way. */
export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string) {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.ariaHidden = 'true'
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return done
}

/** Copies, and knows for a moment how that went. */
function useCopy(value: string, onCopied?: () => void) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(undefined), 2000)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    const done = await copyText(value)
    setOutcome(done ? 'copied' : 'failed')
    if (done) onCopied?.()
  }
  return { outcome, copy }
}
