-- What a delivery counts towards the budget until its price is known. Null: its price.
alter table lead_deliveries add column reserved numeric(14, 2);
