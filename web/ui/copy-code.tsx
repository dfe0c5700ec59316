import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import css from './copy-code.module.css'

/** A value to hand on by machine: monospace, shortened to the eye, copied in full. */
export const CopyCode = ({ value, what }: { value: string; what: string }) => (
  <span className={css.code}>
    <code title={value}>{value}</code>
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`} openDelay={300}>
          <ActionIcon variant="subtle" color="gray" size={24} onClick={copy} aria-label={`Copy ${value}`}>
            {copied ? <Check size={13} aria-hidden="true" /> : <Copy size={13} aria-hidden="true" />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  </span>
)
