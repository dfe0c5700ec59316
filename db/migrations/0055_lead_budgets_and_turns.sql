-- What a delivery counts towards the budget until its price is known. Null: its price.
alter table lead_deliveries add column reserved numeric(14, 2);

-- Each rule of an assignment has its own turns. All begin where the common ones were.
alter table lead_sources add column rule_turns bigint[] not null default '{}';
update lead_sources set rule_turns = array_fill(turns, array[jsonb_array_length(settings -> 'assignment')])
  where jsonb_array_length(settings -> 'assignment') > 0;
alter table lead_sources drop column turns;
