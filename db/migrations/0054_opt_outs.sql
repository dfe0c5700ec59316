-- Addresses whose owners want no more messages, whether or not anyone in the company has them. Kept until someone takes it
-- back, so that the promise also holds for people who are added later.
create table opt_outs (
  company_id uuid not null references companies (id),
  id uuid not null,
  address text not null,
  at timestamptz not null,
  primary key (company_id, id)
);
create unique index opt_outs_once on opt_outs (company_id, address);
