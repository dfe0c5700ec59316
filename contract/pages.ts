/** The paths of the web app. The server answers them with the app, and any other path with 404. */
export const pages = {
  home: '/',
  signIn: '/sign-in',
  setUp: '/set-up',
  signUp: '/sign-up',
  join: '/join',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  confirmEmail: '/confirm-email',
  dashboard: '/dashboard',
  myTasks: '/my-tasks',
  inbox: '/inbox',
  conversation: '/inbox/:id',
  records: '/records',
  recordList: '/records/:object',
  record: '/records/:object/:id',
  trash: '/trash/:object',
  import: '/import/:object',
  activity: '/activity',
  jobs: '/jobs',
  job: '/jobs/:id',
  leadSending: '/lead-sending',
  company: '/company',
  companySection: '/company/:section',
  companyMember: '/company/members/:id',
  companyRole: '/company/roles/:id',
  companyObject: '/company/objects/:object',
  companyWebhook: '/company/webhooks/:id',
  companyLeadSource: '/company/website-leads/:id',
  companyChannel: '/company/channels/:id',
  profile: '/profile',
  profileSection: '/profile/:section',
  profileMailbox: '/profile/mailboxes/:id',
  apiKeys: '/api-keys',
  api: '/api-reference',
  filterSyntax: '/filter-syntax',
  requestInspector: '/_profiler/',
} as const

export type PagePattern = (typeof pages)[keyof typeof pages]

/** In every answer to the web app: which build of it the server has. */
export const buildHeader = 'x-kith-build'
