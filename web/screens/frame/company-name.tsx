import { useSignedIn } from '../../session.ts'
import { Mark } from '../../ui/logo.tsx'
import css from './company-name.module.css'

export function CompanyName() {
  const { company } = useSignedIn()
  return (
    <div className={css.company} title={company.name}>
      <Mark size={20} />
      <span dir="auto">{company.name}</span>
    </div>
  )
}
