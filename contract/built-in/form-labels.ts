// What the usual fields of a form are called in the languages that Kith has texts for. Visitors read the form in one
// language, also where the field has an English name in the app.
import { own } from '../shared/own.ts'

const english = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone: 'Phone',
  company_name: 'Company name',
  message: 'Message',
}
type Labels = typeof english

const byLanguage: Record<string, Labels> = {
  en: english,
  de: {
    first_name: 'Vorname',
    last_name: 'Nachname',
    email: 'E-Mail',
    phone: 'Telefon',
    company_name: 'Firma',
    message: 'Nachricht',
  },
  fr: {
    first_name: 'Prénom',
    last_name: 'Nom',
    email: 'E-mail',
    phone: 'Téléphone',
    company_name: 'Entreprise',
    message: 'Message',
  },
  es: {
    first_name: 'Nombre',
    last_name: 'Apellidos',
    email: 'Correo electrónico',
    phone: 'Teléfono',
    company_name: 'Empresa',
    message: 'Mensaje',
  },
}
const titles: Record<string, string> = { de: 'Kontakt', fr: 'Contactez-nous', es: 'Contacto' }

const isUsual = (key: string): key is keyof Labels => Object.hasOwn(english, key)

/** A name for the first form of a company. */
export const formTitleIn = (language: string) => own(titles, language.slice(0, 2)) ?? 'Contact us'

type Named = { key: string; built_in_key?: string | null; label: string }

/**
 * The label of a field in a form of this language. Empty if the name of the field is right as it is: it is in this
 * language, or the company chose it. `shown`: what the form has now.
 */
export function formLabel({ key, built_in_key, label }: Named, language: string, shown = label) {
  const of = built_in_key ?? key
  if (!isUsual(of)) return shown === label ? '' : shown
  const isStandard = Object.values(byLanguage).some((labels) => labels[of] === shown)
  const wanted = isStandard ? (own(byLanguage, language.slice(0, 2)) ?? english)[of] : shown
  return wanted === label ? '' : wanted
}
