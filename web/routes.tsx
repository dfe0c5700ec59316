import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { pages } from '../contract/shared/pages.ts'
import {
  activity,
  apiConnectors,
  companySections as company,
  mailboxes,
  notifications,
  security,
} from './client/areas.ts'
import { queryClient } from './client/queries.ts'
import { type Session, sessionQuery } from './client/session.ts'
import { Unreachable } from './frame/notices.tsx'
import { readSearch as readActivitySearch } from './history/change-sets.ts'
import { isRecordId, recordQuery } from './records/data/records-api.ts'
import { schemaQuery } from './records/data/schema.ts'
import { askAhead, firstList } from './records/lists/ask-ahead.ts'
import { readListSearch } from './records/lists/list-search.ts'
import { navigationQuery } from './records/lists/navigation.ts'
import { RecordPanel } from './records/lists/panel.ts'
import { readSearch as readApiSearch } from './screens/api/search.ts'
import { readDashboardSearch } from './screens/dashboard/search.ts'
import { readDuplicateSearch } from './screens/duplicates/search.ts'
import { readSearch } from './screens/filter-syntax/search.ts'
import { readImportSearch } from './screens/import/choices.ts'
import { readMoveSearch } from './screens/import/move/choices.ts'
import { readInboxSearch } from './screens/inbox/state/search.ts'
import { readJobSearch } from './screens/jobs/search.ts'
import type { SendingSearch } from './screens/lead-sending/shared/search.ts'
import { readRecordSearch } from './screens/record/tabs.ts'
import { readWebhookSearch } from './screens/settings/webhooks/search.ts'
import { readLeadSearch } from './screens/settings/website-leads/search.ts'
import { readTrashSearch } from './screens/trash/search.ts'
import { arrive } from './ui/basics/keyboard.ts'
import { lazyRouteComponent, nextPage } from './ui/basics/lazy-pages.ts'
import { LoadFailed, Missing, PageSkeleton, Splash } from './ui/basics/states.tsx'
import { knownUsersQuery } from './users/users.ts'

type Drawn<P extends string> = P extends `${infer Before}:${infer After}` ? `${Before}$${Drawn<After>}` : P
/** The contract writes `:id`, the router `$id`. */
const path = <P extends string>(pattern: P) => pattern.replaceAll(':', '$') as Drawn<P>

const root = createRootRouteWithContext<{ session?: Session }>()({
  beforeLoad: async () => ({ session: await queryClient.ensureQueryData(sessionQuery) }),
  component: Outlet,
  pendingComponent: Splash,
  errorComponent: Unreachable,
})

const setUp = createRoute({
  getParentRoute: () => root,
  path: path(pages.setUp),
  beforeLoad: ({ context: { session } }) => {
    if (session?.state === 'signed_in') throw redirect({ to: pages.home, replace: true })
    if (session?.state === 'signed_out') throw redirect({ to: pages.signIn, replace: true })
  },
  component: lazyRouteComponent(() => import('./screens/entry/set-up.tsx'), 'SetUp'),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: path(pages.signIn),
  validateSearch: (search): { next?: string } => ({ next: nextPage(search.next) }),
  beforeLoad: ({ context: { session }, search }) => {
    if (session?.state === 'set_up') throw redirect({ to: pages.setUp, replace: true })
    if (session?.state === 'signed_in') throw redirect({ href: search.next ?? pages.home, replace: true })
  },
  component: lazyRouteComponent(() => import('./screens/entry/sign-in.tsx'), 'SignIn'),
})

/** Pages for people who are not signed in. They say so if someone is. */
const entry = <P extends string, Script extends Record<string, unknown>>(
  pattern: P,
  load: () => Promise<Script>,
  name: keyof Script & string,
) =>
  createRoute({
    getParentRoute: () => root,
    path: path(pattern),
    beforeLoad: ({ context: { session } }) => {
      if (session?.state === 'set_up') throw redirect({ to: pages.setUp, replace: true })
    },
    component: lazyRouteComponent(load, name) as RouteComponent,
  })

const entries = [
  entry(pages.signUp, () => import('./screens/entry/sign-up.tsx'), 'SignUp'),
  entry(pages.forgotPassword, () => import('./screens/entry/forgot-password.tsx'), 'ForgotPassword'),
  entry(pages.join, () => import('./screens/entry/account-link.tsx'), 'Join'),
  entry(pages.resetPassword, () => import('./screens/entry/account-link.tsx'), 'ResetPassword'),
  entry(pages.confirmEmail, () => import('./screens/entry/account-link.tsx'), 'ConfirmEmail'),
] as const

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  beforeLoad: ({ context: { session }, location }) => {
    if (session?.state === 'set_up') throw redirect({ to: pages.setUp, replace: true })
    if (session?.state === 'signed_out')
      throw redirect({ to: pages.signIn, search: { next: nextPage(location.href) }, replace: true })
  },
  // The sidebar, the palette and quick create need them at once.
  loader: () => Promise.all([queryClient.prefetchQuery(schemaQuery), queryClient.prefetchQuery(navigationQuery)]),
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyRouteComponent(() => import('./frame/frame.tsx'), 'Frame'),
  pendingComponent: Splash,
})

const home = createRoute({
  getParentRoute: () => frame,
  path: path(pages.home),
  // Users who hid the dashboard start with the first list.
  beforeLoad: async () => {
    const { hidden } = await queryClient.ensureQueryData(navigationQuery)
    if (!hidden.includes('dashboard')) throw redirect({ to: pages.dashboard, replace: true })
    const list = await firstList()
    if (list) throw redirect({ to: '/records/$object', ...list, replace: true })
    throw redirect({ to: pages.records, replace: true })
  },
})

type Given = Record<string, unknown>
type More<Search> = {
  /** What the page reads of its address. Left out: it reads none. */
  search?: (given: Given) => Search
  /** Fetched inside the page, the schema would suspend it and lose the focus. */
  needsSchema?: true
  loader?: (page: { params: Record<string, string>; location: { search: object } }) => unknown
}

const loadSchema = () => queryClient.ensureQueryData(schemaQuery)

/** A page whose script is loaded when it is shown. */
const screensIn =
  <Parent extends AnyRoute>(parent: Parent) =>
  <P extends string, Script extends Record<string, unknown>, Search extends object = object>(
    pattern: P,
    load: () => Promise<Script>,
    name: keyof Script & string,
    { search, needsSchema, loader }: More<Search> = {},
  ) =>
    createRoute({
      getParentRoute: () => parent,
      path: path(pattern),
      validateSearch: search as (given: Given) => Search,
      loader: needsSchema ? loadSchema : (loader as undefined),
      component: lazyRouteComponent(load, name) as RouteComponent,
    })

/** Asked for while the page itself still comes; nothing of an object that does not exist. */
function ahead(object: string, query: object) {
  void queryClient.prefetchQuery(knownUsersQuery)
  void queryClient.ensureQueryData(schemaQuery).then(
    (objects) => {
      if (objects.some(({ key }) => key === object)) void queryClient.prefetchQuery(query as typeof schemaQuery)
    },
    () => {},
  )
}

const companyArea = createRoute({
  getParentRoute: () => frame,
  id: 'company-area',
  component: lazyRouteComponent(() => import('./screens/settings/company-area.tsx'), 'CompanyArea'),
})
/** One page for both, so that the list stays as it is while one goes from conversation to conversation. */
const inboxArea = createRoute({
  getParentRoute: () => frame,
  id: 'inbox-area',
  validateSearch: readInboxSearch,
  loader: loadSchema,
  component: lazyRouteComponent(() => import('./screens/inbox/inbox.tsx'), 'Inbox'),
})

/** The page itself reads its address. */
type Itself<Search> = ((given: Given) => Search) | undefined
const [screen, setting] = [screensIn(frame), screensIn(companyArea)]
const needsSchema = true
const websiteLeads = { search: readLeadSearch, needsSchema } as const
const textOf =
  <Name extends string>(name: Name, fits: (text: string) => boolean = () => true) =>
  (given: Given) =>
    (typeof given[name] === 'string' && fits(given[name]) ? { [name]: given[name] } : {}) as { [_ in Name]?: string }

const settings = [
  setting(company.details.to, () => import('./screens/settings/details/details.tsx'), 'Details'),
  setting(company.members.to, () => import('./screens/settings/members/members.tsx'), 'Members'),
  setting(pages.companyMember, () => import('./screens/settings/members/member.tsx'), 'Member'),
  setting(company.roles.to, () => import('./screens/settings/roles/roles.tsx'), 'Roles'),
  setting(pages.companyRole, () => import('./screens/settings/roles/role.tsx'), 'RolePage', { search: textOf('from') }),
  setting(company.objects.to, () => import('./screens/settings/objects/objects.tsx'), 'Objects'),
  setting(pages.companyObject, () => import('./screens/settings/objects/object-page.tsx'), 'ObjectPage', {
    search: undefined as Itself<{ add?: true }>,
  }),
  setting(company.pipelines.to, () => import('./screens/settings/pipelines/pipelines.tsx'), 'Pipelines'),
  setting(company.webhooks.to, () => import('./screens/settings/webhooks/webhooks.tsx'), 'Webhooks'),
  setting(pages.companyWebhook, () => import('./screens/settings/webhooks/webhook-page.tsx'), 'WebhookPage', {
    search: readWebhookSearch,
    needsSchema,
  }),
  setting(
    company.websiteLeads.to,
    () => import('./screens/settings/website-leads/website-leads.tsx'),
    'WebsiteLeads',
    websiteLeads,
  ),
  setting(
    pages.companyLeadSource,
    () => import('./screens/settings/website-leads/source-page.tsx'),
    'LeadSourcePage',
    websiteLeads,
  ),
  setting(company.channels.to, () => import('./screens/settings/channels/channels.tsx'), 'Channels'),
  setting(pages.companyChannel, () => import('./screens/settings/channels/channel-page.tsx'), 'ChannelPage'),
  setting(company.inboxRules.to, () => import('./screens/settings/inbox-rules/inbox-rules.tsx'), 'InboxRules', {
    needsSchema,
  }),
  setting(company.workingHours.to, () => import('./screens/settings/working-hours/working-hours.tsx'), 'WorkingHours'),
  setting(company.inboxReport.to, () => import('./screens/settings/inbox-report/inbox-report.tsx'), 'InboxReport'),
  setting(company.mail.to, () => import('./screens/settings/mail/mail.tsx'), 'Mail'),
  setting(company.keys.to, () => import('./screens/settings/keys/keys.tsx'), 'Keys'),
  setting(company.audit.to, () => import('./screens/settings/audit/audit.tsx'), 'Audit'),
  setting(company.retention.to, () => import('./screens/settings/retention/retention.tsx'), 'Retention'),
  createRoute({
    getParentRoute: () => companyArea,
    path: path(pages.companySection),
    component: () => <Missing what="section" back={pages.company} />,
  }),
] as const

const inboxScreens = [
  createRoute({ getParentRoute: () => inboxArea, path: path(pages.inbox) }),
  createRoute({ getParentRoute: () => inboxArea, path: path(pages.conversation) }),
] as const

const screens = [
  screen(pages.dashboard, () => import('./screens/dashboard/dashboard.tsx'), 'Dashboard', {
    search: readDashboardSearch,
    needsSchema,
  }),
  screen(pages.myTasks, () => import('./screens/my-tasks/my-tasks.tsx'), 'MyTasks', {
    search: textOf('user', isRecordId),
    needsSchema,
  }),
  screen(pages.records, () => import('./screens/overview/overview.tsx'), 'RecordsOverview', { needsSchema }),
  screen(pages.recordList, () => import('./screens/list/list.tsx'), 'RecordList', {
    search: readListSearch,
    loader: ({ params, location }) => {
      void RecordPanel.preload?.()
      return askAhead(params.object!, readListSearch(location.search as Given))
    },
  }),
  screen(pages.record, () => import('./screens/record/record.tsx'), 'RecordPage', {
    search: readRecordSearch,
    loader: ({ params: { object = '', id = '' } }) => {
      if (isRecordId(id)) ahead(object, recordQuery(object, id))
    },
  }),
  screen(pages.trash, () => import('./screens/trash/trash.tsx'), 'Trash', { search: readTrashSearch }),
  screen(pages.trashOf, () => import('./screens/trash/trash.tsx'), 'Trash', { search: readTrashSearch }),
  screen(pages.duplicates, () => import('./screens/duplicates/duplicates.tsx'), 'Duplicates', {
    search: readDuplicateSearch,
    needsSchema,
  }),
  screen(pages.import, () => import('./screens/import/import.tsx'), 'Import', {
    search: readImportSearch,
    needsSchema,
  }),
  screen(pages.move, () => import('./screens/import/move/move.tsx'), 'MovePage', {
    search: readMoveSearch,
    needsSchema,
  }),
  screen(pages.activity, () => import('./screens/activity/activity.tsx'), 'AgentActivity', {
    search: readActivitySearch,
    needsSchema,
  }),
  screen(pages.jobs, () => import('./screens/jobs/jobs.tsx'), 'Jobs', { search: readJobSearch, needsSchema }),
  screen(pages.job, () => import('./screens/jobs/job-page.tsx'), 'JobPage'),
  screen(pages.leadSending, () => import('./screens/lead-sending/lead-sending.tsx'), 'LeadSending', {
    search: undefined as Itself<SendingSearch>,
  }),
  screen(pages.profile, () => import('./screens/profile/details/profile.tsx'), 'Profile'),
  screen(security, () => import('./screens/profile/security/security.tsx'), 'Security'),
  screen(
    notifications,
    () => import('./screens/profile/notifications/notification-choices.tsx'),
    'NotificationChoices',
  ),
  screen(mailboxes, () => import('./screens/profile/mailboxes/mailboxes.tsx'), 'Mailboxes'),
  screen(pages.profileMailbox, () => import('./screens/profile/mailboxes/mailboxes.tsx'), 'MyMailbox'),
  screen(activity, () => import('./screens/profile/activity/activity.tsx'), 'Activity'),
  screen(apiConnectors, () => import('./screens/profile/api-connectors/api-connectors.tsx'), 'ApiConnectors'),
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.profileSection),
    component: () => <Missing what="section" back={pages.profile} />,
  }),
  screen(pages.apiKeys, () => import('./screens/api-keys/api-keys.tsx'), 'ApiKeys'),
  screen(pages.api, () => import('./screens/api/api-page.tsx'), 'ApiPage', { search: readApiSearch, needsSchema }),
  screen(pages.filterSyntax, () => import('./screens/filter-syntax/filter-syntax.tsx'), 'FilterSyntax', {
    search: readSearch,
  }),
  screen(
    pages.requestInspector,
    () => import('./screens/request-inspector/request-inspector.tsx'),
    'RequestInspector',
    { search: textOf('request_id') },
  ),
  createRoute({
    getParentRoute: () => frame,
    path: '/$',
    // A typed /deals opens the list.
    beforeLoad: async ({ location }) => {
      const [, key = ''] = location.pathname.split('/')
      const objects = await loadSchema()
      if (objects.some((object) => object.key === key))
        throw redirect({ href: `${pages.records}${location.href}`, replace: true })
    },
    component: () => <Missing what="page" back={pages.records} />,
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren([
    setUp,
    signIn,
    ...entries,
    frame.addChildren([
      home,
      companyArea.addChildren([...settings]),
      inboxArea.addChildren([...inboxScreens]),
      ...screens,
    ]),
  ]),
  context: {},
  trailingSlash: 'preserve',
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: LoadFailed,
  scrollRestoration: true,
})

router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) arrive()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
