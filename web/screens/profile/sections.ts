/** Where people make and delete their keys; one of the contract's `/profile/:section`. */
export const apiConnectors = '/profile/api-connectors'
