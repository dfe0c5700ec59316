-- The products of a deal are called line items. A name that a company chose stays.
with renamed as (
  update objects set label = 'Line item', label_plural = 'Line items'
  where built_in_key = 'deal_lines' and label = 'Deal line' and label_plural = 'Deal lines'
  returning company_id
)
update companies set schema_version = schema_version + 1 where id in (select company_id from renamed);
