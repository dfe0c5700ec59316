import { useSignedIn } from '../client/session.ts'
import { Mark } from '../ui/logo.tsx'
import { Picture } from '../ui/picture.tsx'
import css from './company-name.module.css'

export function CompanyName() {
  const { company } = useSignedIn()
  return (
    <div className={css.company} title={company.name}>
      {company.logo_id ? <Picture id={company.logo_id} size={24} className={css.logo} /> : <Mark size={20} />}
      <span dir="auto">{company.name}</span>
    </div>
  )
}
