/** The pages of the web app. The server answers these paths with the app, the app draws them; any other path is a 404. */
export const pages = {
  home: '/',
  signIn: '/sign-in',
  setUp: '/set-up',
  signUp: '/sign-up',
  join: '/join',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  dashboard: '/dashboard',
  inbox: '/inbox',
  conversation: '/inbox/:id',
  records: '/records',
  recordList: '/records/:object',
  record: '/records/:object/:id',
  leadSending: '/lead-sending',
  company: '/company',
  companySection: '/company/:section',
  companyMember: '/company/members/:id',
  companyRole: '/company/roles/:id',
  companyObject: '/company/objects/:object',
  profile: '/profile',
  profileSection: '/profile/:section',
  apiKeys: '/api-keys',
  filterSyntax: '/filter-syntax',
  requestInspector: '/_profiler/',
} as const

export type PagePattern = (typeof pages)[keyof typeof pages]
