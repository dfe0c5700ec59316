import { AppError } from './app-error.ts'

type Limits = {
  perUser: number
  perCompany: number
  mostWaiting: number
  patienceMs: number
}
type Waiting = { user: string; start(): void }
type Company = { running: number; byUser: Map<string, number>; waiting: Waiting[] }

/** Limits how many slots each company and each user may use at the same time. Others wait, up to a limit. */
export function createShares({ perUser, perCompany, mostWaiting, patienceMs }: Limits) {
  const companies = new Map<string, Company>()

  const isFree = (company: Company, user: string) =>
    company.running < perCompany && (company.byUser.get(user) ?? 0) < perUser

  function begin(company: Company, user: string) {
    company.running++
    company.byUser.set(user, (company.byUser.get(user) ?? 0) + 1)
  }

  function end(id: string, company: Company, user: string) {
    company.running--
    const left = company.byUser.get(user)! - 1
    if (left) company.byUser.set(user, left)
    else company.byUser.delete(user)
    const next = nextOf(company)
    if (next) company.waiting.splice(company.waiting.indexOf(next), 1)[0]!.start()
    else if (!company.running) companies.delete(id)
  }

  /** The user who uses the fewest slots comes first, so that one who sends many requests does not delay the others. */
  function nextOf(company: Company) {
    const used = ({ user }: Waiting) => company.byUser.get(user) ?? 0
    const free = company.waiting.filter((request) => isFree(company, request.user))
    return free.reduce<Waiting | undefined>(
      (best, request) => (best && used(best) <= used(request) ? best : request),
      undefined,
    )
  }

  /** Returns a function that releases the slot. */
  return async function take(id: string, user: string): Promise<() => void> {
    const company = companies.get(id) ?? { running: 0, byUser: new Map(), waiting: [] }
    companies.set(id, company)
    if (isFree(company, user)) begin(company, user)
    else {
      if (company.waiting.filter((request) => request.user === user).length >= mostWaiting) throw busy()
      await turn(company, user)
    }
    return () => end(id, company, user)
  }

  function turn(company: Company, user: string) {
    return new Promise<void>((resolve, reject) => {
      const patience = setTimeout(() => {
        company.waiting.splice(company.waiting.indexOf(waiting), 1)
        reject(busy())
      }, patienceMs)
      const waiting: Waiting = {
        user,
        start() {
          clearTimeout(patience)
          begin(company, user)
          resolve()
        },
      }
      company.waiting.push(waiting)
    })
  }
}

const busy = () =>
  new AppError(
    'unavailable',
    'Too many of your requests are running at the same time. Wait for some to finish and retry.',
    {
      retryAfter: 2,
    },
  )
