-- Records that share a unique value because an upgrade compares it in another way: https://www.acme.com is acme.com.
-- One of them is in unique_values; the others get it when that one gives it up.
create table duplicate_values (
  company_id uuid not null,
  field_id uuid not null,
  key text not null,
  record_id uuid not null,
  primary key (company_id, field_id, key, record_id)
);

alter table companies alter column index_version set default 4;
