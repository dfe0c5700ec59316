import type { leadDeliveries } from '../../contract/lead-deliveries.ts'
import type { leadDestinations } from '../../contract/lead-destinations.ts'
import type { leadRoutes } from '../../contract/lead-routes.ts'
import type { Handlers } from '../kernel/run.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Outbound } from '../platform/public-fetch.ts'
import type { Vault } from '../platform/vault.ts'
import { deliveryOperations } from './delivery-operations.ts'
import { destinationOperations } from './destination-operations.ts'
import { returnOperations } from './returns.ts'
import { routeOperations } from './route-operations.ts'

type Services = { baseUrl: URL; vault: Vault; mailer: Mailer; outbound: Outbound }
type All = typeof leadDestinations & typeof leadRoutes & typeof leadDeliveries

export const sendingOperations = (services: Services): Handlers<All> => ({
  ...destinationOperations({ ...services, fetch: services.outbound.fetch }),
  ...routeOperations,
  ...deliveryOperations(services),
  ...returnOperations(services),
})
