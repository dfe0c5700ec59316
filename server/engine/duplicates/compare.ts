// How likely two records are the same, with the reasons in words. Pure: what is compared is given.
import {
  companyWords,
  isOneEdit,
  isOtherScript,
  isSameGiven,
  isSameWord,
  isShort,
  joinedName,
  keyOfWords,
  personWords,
} from './names.ts'

export type Facts = {
  name: string
  /** Lower case. */
  emails: string[]
  /** With their country codes. */
  phones: string[]
  /** Registrable domains of websites and own addresses, without free mail. */
  domains: string[]
  /** The organization of a person, by its ID or name. */
  organization?: string | undefined
  birthday?: string | undefined
  city?: string | undefined
}
export type Likeness = 'certain' | 'likely' | 'different'
export type Comparison = { score: number; likeness: Likeness; reasons: string[] }

export const certainFrom = 90
const likelyFrom = 55

export const likenessOf = (score: number): Likeness =>
  score >= certainFrom ? 'certain' : score >= likelyFrom ? 'likely' : 'different'

function judged(parts: [points: number, reason: string][]): Comparison {
  const score = Math.max(
    0,
    Math.min(
      100,
      parts.reduce((sum, [points]) => sum + points, 0),
    ),
  )
  const reasons = parts.filter(([, reason]) => reason).map(([, reason]) => reason)
  return { score, likeness: likenessOf(score), reasons }
}

const common = (a: string[], b: string[]) => a.find((one) => b.includes(one))

/** Addresses that several people read. */
const sharedNames = `info office kontakt contact contacto contato contatti sales vertrieb verkauf vendas ventas support hello hallo ola
mail post admin team service servicio biuro sekretariat buero buro bureau accueil empfang reception recepcion recepcao recepce
geral atendimento comercial obchod orders pedidos einkauf compras marketing jobs hr rh family familie famille familia enquiries
billing accounts accounting buchhaltung faktury facturacion fatura muhasebe bilgi iletisim kontor eolas noreply no-reply`
const shared = new RegExp(`^(${sharedNames.split(/\s+/).join('|')})([._-].*)?@`)

/** Without what a mail host ignores: dots at Gmail, and what follows a plus. */
export function foldedEmail(email: string) {
  const [local = '', host = ''] = email.split('@')
  const plain = local.replace(/\+.*$/, '')
  return /^(gmail|googlemail)\.com$/.test(host) ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${host}`
}

/** Mobile numbers of Mexico and Argentina used to have another digit. */
export const foldedPhone = (phone: string) =>
  phone.replace(/^\+521(?=\d{10}$)/, '+52').replace(/^\+549(?=\d{10}$)/, '+54')

const hostOf = (email: string) => email.split('@')[1]

const isAt = (email: string, domain: string) => `.${hostOf(email)}`.endsWith(`.${domain}`)

export function comparePeople(a: Facts, b: Facts): Comparison {
  const [wordsA, wordsB] = [personWords(a.name), personWords(b.name)]
  const names = likenessOfNames(wordsA, wordsB, a.name, b.name)
  const parts: [number, string][] = []
  const email = common(a.emails, b.emails)
  const folded = common(a.emails.map(foldedEmail), b.emails.map(foldedEmail))
  const phone = common(a.phones.map(foldedPhone), b.phones.map(foldedPhone))
  const isSameOrganization = a.organization !== undefined && a.organization === b.organization
  const domain = common(a.domains, b.domains)
  const isSamePlace = isSameOrganization || domain !== undefined
  // The address says its domain.
  const isSaid = folded !== undefined && domain !== undefined && isAt(folded, domain)
  const place = isSameOrganization ? ', same organization' : isSamePlace && !isSaid ? `, same domain ${domain}` : ''
  const isOther = names === 'different'
  if (email && !shared.test(email)) parts.push([isOther ? 70 : 100, `same email address ${email}`])
  else if (email) parts.push([names === 'same' ? 70 : names === 'similar' ? 50 : 10, `same shared address ${email}`])
  else if (folded) parts.push([isOther ? 60 : 80, `same mailbox ${folded}`])
  if (phone) parts.push([isOther ? 15 : names === 'given' ? 45 : 60, `same phone number ${phone}`])
  if (names === 'same') parts.push([isSamePlace ? 80 : 40, `same name${place}`])
  if (names === 'similar') parts.push([isSamePlace ? 57 : 25, `similar name${place}`])
  if (names === 'given' && isSamePlace) parts.push([20, `same first name${place}`])
  if (a.birthday && b.birthday)
    parts.push(
      a.birthday === b.birthday && !isOther ? [30, 'same birthday'] : a.birthday === b.birthday ? [0, ''] : [-50, ''],
    )
  if (names === 'same' && !isSamePlace && a.city && a.city === b.city) parts.push([15, 'same city'])
  const hosts = new Set(a.emails.map(hostOf))
  const isApart =
    !folded &&
    b.emails.some((other) => hosts.has(hostOf(other)) && !shared.test(other)) &&
    a.emails.some((one) => !shared.test(one))
  if (isApart && !phone) parts.push([-50, ''])
  return judged(parts)
}

/** `unknown`: in different scripts. `given`: only the first names. */
type NameLikeness = 'same' | 'similar' | 'given' | 'unknown' | 'different'

function likenessOfNames(a: string[], b: string[], nameA: string, nameB: string): NameLikeness {
  if (!a.length || !b.length) return 'similar'
  if (isOtherScript(a) !== isOtherScript(b)) return 'unknown'
  if (keyOfWords(a) === keyOfWords(b) || a.join('') === b.join('')) return 'same'
  const [joinedA, joinedB] = [joinedName(nameA), joinedName(nameB)]
  const isSpaced = a.length !== b.length || joinedA.length !== a.join('').length || joinedB.length !== b.join('').length
  if (isSpaced && Math.min(joinedA.length, joinedB.length) > 9 && isOneEdit(joinedA, joinedB)) return 'similar'
  const [few, many] = a.length <= b.length ? [a, b] : [b, a]
  if (few.length === 1) return many.some((word) => isSameGiven(few[0]!, word)) ? 'similar' : 'different'
  const left = [...many]
  const unmatched = few.filter((word) => {
    const at = left.findIndex((other) => isSameWord(word, other) || isShort(word, other))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  if (!unmatched.length) return 'similar'
  const hasGiven = isSameGiven(a[0]!, b[0]!)
  return hasGiven && unmatched.length === 1 ? 'given' : 'different'
}

export function compareCompanies(a: Facts, b: Facts): Comparison {
  const [wordsA, wordsB] = [companyWords(a.name), companyWords(b.name)]
  const isSame = keyOfWords(wordsA) === keyOfWords(wordsB) || wordsA.join('') === wordsB.join('')
  const isSimilar = !isSame && areSimilar(wordsA, wordsB)
  const domain = common(a.domains, b.domains)
  const phone = common(a.phones.map(foldedPhone), b.phones.map(foldedPhone))
  const parts: [number, string][] = []
  if (domain) parts.push([isSame || isSimilar ? 70 : 55, `same domain ${domain}`])
  if (isSame) parts.push([60, 'same name'])
  if (isSimilar) parts.push([domain || phone ? 35 : 30, 'similar name'])
  if (phone) parts.push([isSame || isSimilar ? 60 : 25, `same phone number ${phone}`])
  const isElsewhere = a.city !== undefined && b.city !== undefined && a.city !== b.city
  if (a.city && a.city === b.city) parts.push([isSame || isSimilar ? 25 : 0, isSame || isSimilar ? 'same city' : ''])
  if (!domain && a.domains.length && b.domains.length) parts.push([-25, ''])
  // Branches of a chain share a website.
  if (!phone && isElsewhere && !(domain && (isSame || isSimilar))) parts.push([-25, ''])
  return judged(parts)
}

/** Every customer has deals, and many a deal is called "Renewal": only both together are suspicious. */
export function compareDeals(a: Facts, b: Facts): Comparison {
  const isSame = keyOfWords(companyWords(a.name)) === keyOfWords(companyWords(b.name))
  const isSameOrganization = a.organization !== undefined && a.organization === b.organization
  return judged(isSame && isSameOrganization ? [[80, 'same name, same organization']] : [])
}

/** All words of the shorter name, where a short one may be an abbreviation of it. */
function areSimilar(a: string[], b: string[]) {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a]
  const initials = many.map((word) => word[0]).join('')
  if (few.length === 1 && few[0]!.length > 2 && few[0] === initials) return true
  return (
    few.every((word) => many.some((other) => isSameWord(word, other) || isStartOf(word, other))) &&
    (few.length > 1 || few[0]!.length > 3)
  )
}

const isStartOf = (a: string, b: string) => a.length > 3 && b.length > 3 && (a.startsWith(b) || b.startsWith(a))
