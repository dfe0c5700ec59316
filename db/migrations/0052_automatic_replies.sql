-- How many automatic replies an address got lately.
create index messages_automatic_replies on messages (company_id, (recipients -> 0 ->> 'address'), at)
  where is_automatic and rule_id is not null and direction = 'out';
