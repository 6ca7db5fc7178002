-- Retires the keys of what is removed, also together with its organisation: no one signs or checks with them any more.
create function retire_keys() returns trigger language plpgsql as $$
begin
  update wrapped_key set retired_on = now()
  where purpose = tg_argv[0] || ':' || old.guid and retired_on is null;
  return null;
end
$$;

create trigger retire_keys after delete on client_application
  for each row execute function retire_keys('client-webhook');
create trigger retire_keys after delete on webhook_endpoint
  for each row execute function retire_keys('webhook-endpoint');
create trigger retire_keys after delete on master_device
  for each row execute function retire_keys('master');
