-- One process at a time renews the access token of a mailbox. It calls the provider meanwhile, so it holds no lock.
alter table channels add column renewing_until timestamptz;
