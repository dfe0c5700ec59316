-- Also for those that were sent: a record that is permanently deleted leaves the log, too.
drop index webhook_deliveries_of_record;
create index webhook_deliveries_of_record on webhook_deliveries (company_id, record_id, webhook_id, version);
