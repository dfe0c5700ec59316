-- What acted, if it was not the user in actor_id: a form, a mailbox, a rule, or Kith itself.
alter table change_sets
  add column principal_kind text check (principal_kind in ('source', 'channel', 'rule', 'system')),
  add column principal_id uuid,
  add column principal_name text;
