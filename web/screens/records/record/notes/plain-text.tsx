import { Component, type ReactNode } from 'react'
import css from './notes.module.css'

/** A note as it is written, where it cannot be formatted. */
export const PlainText = ({ text }: { text: string }) => (
  <div className={css.text} dir="auto">
    <p className={css.unformatted}>Shown as plain text: this note is too long or too complex to format.</p>
    <p className={css.written}>{text}</p>
  </div>
)

type Props = { text: string; children: ReactNode }

/** What fails in one note is shown as plain text, and the page around it stays. */
export class PlainOnError extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? <PlainText text={this.props.text} /> : this.props.children
  }
}
