-- Who acted, where it was not a user: a form, a mailbox, a rule, or Kith itself. Null: the user in actor_id.
alter table change_sets
  add column principal_kind text check (principal_kind in ('source', 'channel', 'rule', 'system')),
  add column principal_id uuid,
  add column principal_name text;
