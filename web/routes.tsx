import {
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
import { readSearch } from './screens/filter-syntax/search.ts'
import { readImportSearch } from './screens/import/choices.ts'
import { readInboxSearch } from './screens/inbox/state/search.ts'
import { readJobSearch } from './screens/jobs/search.ts'
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
const entry = <P extends string>(pattern: P, component: RouteComponent) =>
  createRoute({
    getParentRoute: () => root,
    path: path(pattern),
    beforeLoad: ({ context: { session } }) => {
      if (session?.state === 'set_up') throw redirect({ to: pages.setUp, replace: true })
    },
    component,
  })

const entries = [
  entry(
    pages.signUp,
    lazyRouteComponent(() => import('./screens/entry/sign-up.tsx'), 'SignUp'),
  ),
  entry(
    pages.forgotPassword,
    lazyRouteComponent(() => import('./screens/entry/forgot-password.tsx'), 'ForgotPassword'),
  ),
  entry(
    pages.join,
    lazyRouteComponent(() => import('./screens/entry/account-link.tsx'), 'Join'),
  ),
  entry(
    pages.resetPassword,
    lazyRouteComponent(() => import('./screens/entry/account-link.tsx'), 'ResetPassword'),
  ),
  entry(
    pages.confirmEmail,
    lazyRouteComponent(() => import('./screens/entry/account-link.tsx'), 'ConfirmEmail'),
  ),
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
  // Whoever has hidden the dashboard starts with the first list.
  beforeLoad: async () => {
    const { hidden } = await queryClient.ensureQueryData(navigationQuery)
    if (!hidden.includes('dashboard')) throw redirect({ to: pages.dashboard, replace: true })
    const list = await firstList()
    if (list) throw redirect({ to: '/records/$object', ...list, replace: true })
    throw redirect({ to: pages.records, replace: true })
  },
})

const screen = <P extends string>(pattern: P, component: RouteComponent) =>
  createRoute({ getParentRoute: () => frame, path: path(pattern), component })

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

const companyScreen = <P extends string>(pattern: P, component: RouteComponent) =>
  createRoute({ getParentRoute: () => companyArea, path: path(pattern), component })

const companyScreens = [
  companyScreen(
    company.details.to,
    lazyRouteComponent(() => import('./screens/settings/details/details.tsx'), 'Details'),
  ),
  companyScreen(
    company.members.to,
    lazyRouteComponent(() => import('./screens/settings/members/members.tsx'), 'Members'),
  ),
  companyScreen(
    pages.companyMember,
    lazyRouteComponent(() => import('./screens/settings/members/member.tsx'), 'Member'),
  ),
  companyScreen(
    company.roles.to,
    lazyRouteComponent(() => import('./screens/settings/roles/roles.tsx'), 'Roles'),
  ),
  createRoute({
    getParentRoute: () => companyArea,
    path: path(pages.companyRole),
    validateSearch: ({ from }): { from?: string } => (typeof from === 'string' ? { from } : {}),
    component: lazyRouteComponent(() => import('./screens/settings/roles/role.tsx'), 'RolePage'),
  }),
  companyScreen(
    company.objects.to,
    lazyRouteComponent(() => import('./screens/settings/objects/objects.tsx'), 'Objects'),
  ),
  companyScreen(
    pages.companyObject,
    lazyRouteComponent(() => import('./screens/settings/objects/object-page.tsx'), 'ObjectPage'),
  ),
  companyScreen(
    company.pipelines.to,
    lazyRouteComponent(() => import('./screens/settings/pipelines/pipelines.tsx'), 'Pipelines'),
  ),
  companyScreen(
    company.webhooks.to,
    lazyRouteComponent(() => import('./screens/settings/webhooks/webhooks.tsx'), 'Webhooks'),
  ),
  createRoute({
    getParentRoute: () => companyArea,
    path: path(pages.companyWebhook),
    validateSearch: readWebhookSearch,
    // Fetched inside the page, it would suspend it and lose the focus.
    loader: () => queryClient.ensureQueryData(schemaQuery),
    component: lazyRouteComponent(() => import('./screens/settings/webhooks/webhook-page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => companyArea,
    path: path(company.websiteLeads.to),
    validateSearch: readLeadSearch,
    loader: () => queryClient.ensureQueryData(schemaQuery),
    component: lazyRouteComponent(() => import('./screens/settings/website-leads/website-leads.tsx'), 'WebsiteLeads'),
  }),
  createRoute({
    getParentRoute: () => companyArea,
    path: path(pages.companyLeadSource),
    validateSearch: readLeadSearch,
    // Fetched inside the page, it would suspend it and lose the focus.
    loader: () => queryClient.ensureQueryData(schemaQuery),
    component: lazyRouteComponent(() => import('./screens/settings/website-leads/source-page.tsx'), 'LeadSourcePage'),
  }),
  companyScreen(
    company.channels.to,
    lazyRouteComponent(() => import('./screens/settings/channels/channels.tsx'), 'Channels'),
  ),
  companyScreen(
    pages.companyChannel,
    lazyRouteComponent(() => import('./screens/settings/channels/channel-page.tsx'), 'ChannelPage'),
  ),
  createRoute({
    getParentRoute: () => companyArea,
    path: path(company.inboxRules.to),
    // Fetched inside the page, it would suspend it and lose the focus.
    loader: () => queryClient.ensureQueryData(schemaQuery),
    component: lazyRouteComponent(() => import('./screens/settings/inbox-rules/inbox-rules.tsx'), 'InboxRules'),
  }),
  companyScreen(
    company.workingHours.to,
    lazyRouteComponent(() => import('./screens/settings/working-hours/working-hours.tsx'), 'WorkingHours'),
  ),
  companyScreen(
    company.inboxReport.to,
    lazyRouteComponent(() => import('./screens/settings/inbox-report/inbox-report.tsx'), 'InboxReport'),
  ),
  companyScreen(
    company.mail.to,
    lazyRouteComponent(() => import('./screens/settings/mail/mail.tsx'), 'Mail'),
  ),
  companyScreen(
    company.keys.to,
    lazyRouteComponent(() => import('./screens/settings/keys/keys.tsx'), 'Keys'),
  ),
  companyScreen(
    company.audit.to,
    lazyRouteComponent(() => import('./screens/settings/audit/audit.tsx'), 'Audit'),
  ),
  companyScreen(
    company.retention.to,
    lazyRouteComponent(() => import('./screens/settings/retention/retention.tsx'), 'Retention'),
  ),
  companyScreen(pages.companySection, () => <Missing what="section" back={pages.company} />),
] as const

/** One page for both, so that the list stays as it is while one goes from conversation to conversation. */
const inboxArea = createRoute({
  getParentRoute: () => frame,
  id: 'inbox-area',
  validateSearch: readInboxSearch,
  // Fetched inside the page, it would suspend it and lose the focus.
  loader: () => queryClient.ensureQueryData(schemaQuery),
  component: lazyRouteComponent(() => import('./screens/inbox/inbox.tsx'), 'Inbox'),
})
const inboxScreens = [
  createRoute({ getParentRoute: () => inboxArea, path: path(pages.inbox) }),
  createRoute({ getParentRoute: () => inboxArea, path: path(pages.conversation) }),
] as const

const screens = [
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.dashboard),
    validateSearch: readDashboardSearch,
    // Fetched inside the page, it would suspend it and lose the focus.
    loader: () => queryClient.ensureQueryData(schemaQuery),
    component: lazyRouteComponent(() => import('./screens/dashboard/dashboard.tsx'), 'Dashboard'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.myTasks),
    validateSearch: ({ user }): { user?: string } => (typeof user === 'string' && isRecordId(user) ? { user } : {}),
    // Fetched inside the page, it would suspend it and lose the focus.
    loader: () => queryClient.ensureQueryData(schemaQuery),
    component: lazyRouteComponent(() => import('./screens/my-tasks/my-tasks.tsx'), 'MyTasks'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.records),
    loader: () => queryClient.ensureQueryData(schemaQuery),
    component: lazyRouteComponent(() => import('./screens/overview/overview.tsx'), 'RecordsOverview'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.recordList),
    validateSearch: readListSearch,
    loader: ({ params, location }) => {
      void RecordPanel.preload?.()
      return askAhead(params.object, readListSearch(location.search))
    },
    component: lazyRouteComponent(() => import('./screens/list/list.tsx'), 'RecordList'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.record),
    validateSearch: readRecordSearch,
    loader: ({ params: { object, id } }) => {
      if (isRecordId(id)) ahead(object, recordQuery(object, id))
    },
    component: lazyRouteComponent(() => import('./screens/record/record.tsx'), 'RecordPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.trash),
    validateSearch: readTrashSearch,
    component: lazyRouteComponent(() => import('./screens/trash/trash.tsx'), 'Trash'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.trashOf),
    validateSearch: readTrashSearch,
    component: lazyRouteComponent(() => import('./screens/trash/trash.tsx'), 'Trash'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.import),
    validateSearch: readImportSearch,
    // Fetched inside the page, it would suspend it and lose the focus.
    loader: () => queryClient.ensureQueryData(schemaQuery),
    component: lazyRouteComponent(() => import('./screens/import/import.tsx'), 'Import'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.activity),
    validateSearch: readActivitySearch,
    // Asked for inside, it would take the page away again, and the focus with it.
    loader: () => queryClient.ensureQueryData(schemaQuery),
    component: lazyRouteComponent(() => import('./screens/activity/activity.tsx'), 'AgentActivity'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.jobs),
    validateSearch: readJobSearch,
    // Fetched inside the page, it would suspend it and lose the focus.
    loader: () => queryClient.ensureQueryData(schemaQuery),
    component: lazyRouteComponent(() => import('./screens/jobs/jobs.tsx'), 'Jobs'),
  }),
  screen(
    pages.job,
    lazyRouteComponent(() => import('./screens/jobs/job-page.tsx'), 'JobPage'),
  ),
  screen(
    pages.leadSending,
    lazyRouteComponent(() => import('./screens/lead-sending/lead-sending.tsx'), 'LeadSending'),
  ),
  screen(
    pages.profile,
    lazyRouteComponent(() => import('./screens/profile/details/profile.tsx'), 'Profile'),
  ),
  screen(
    security,
    lazyRouteComponent(() => import('./screens/profile/security/security.tsx'), 'Security'),
  ),
  screen(
    notifications,
    lazyRouteComponent(() => import('./screens/profile/notifications/notification-choices.tsx'), 'NotificationChoices'),
  ),
  screen(
    mailboxes,
    lazyRouteComponent(() => import('./screens/profile/mailboxes/mailboxes.tsx'), 'Mailboxes'),
  ),
  screen(
    pages.profileMailbox,
    lazyRouteComponent(() => import('./screens/profile/mailboxes/mailboxes.tsx'), 'MyMailbox'),
  ),
  screen(
    activity,
    lazyRouteComponent(() => import('./screens/profile/activity/activity.tsx'), 'Activity'),
  ),
  screen(
    apiConnectors,
    lazyRouteComponent(() => import('./screens/profile/api-connectors/api-connectors.tsx'), 'ApiConnectors'),
  ),
  screen(pages.profileSection, () => <Missing what="section" back={pages.profile} />),
  screen(
    pages.apiKeys,
    lazyRouteComponent(() => import('./screens/api-keys/api-keys.tsx'), 'ApiKeys'),
  ),
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.api),
    validateSearch: readApiSearch,
    // Fetched inside the page, it would suspend it and lose the focus.
    loader: () => queryClient.ensureQueryData(schemaQuery),
    component: lazyRouteComponent(() => import('./screens/api/api-page.tsx'), 'ApiPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.filterSyntax),
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./screens/filter-syntax/filter-syntax.tsx'), 'FilterSyntax'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: path(pages.requestInspector),
    validateSearch: ({ request_id }): { request_id?: string } => (typeof request_id === 'string' ? { request_id } : {}),
    component: lazyRouteComponent(
      () => import('./screens/request-inspector/request-inspector.tsx'),
      'RequestInspector',
    ),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/$',
    // Whoever types /deals means the list.
    beforeLoad: async ({ location }) => {
      const [, key = ''] = location.pathname.split('/')
      const objects = await queryClient.ensureQueryData(schemaQuery)
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
      companyArea.addChildren([...companyScreens]),
      inboxArea.addChildren([...inboxScreens]),
      ...screens,
    ]),
  ]),
  context: {},
  trailingSlash: 'preserve',
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  // A skeleton that moves needs time to be more than a flicker. Without motion, the page appears as soon as it can.
  defaultPendingMinMs: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 250,
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
