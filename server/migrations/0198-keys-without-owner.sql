-- Retires the keys of what was removed before migration 0196: of a client application, an endpoint or a master that is gone.
update wrapped_key set retired_on = now()
where retired_on is null and (
  purpose like 'client-webhook:%'
    and not exists (select from client_application where 'client-webhook:' || guid = purpose)
  or purpose like 'webhook-endpoint:%'
    and not exists (select from webhook_endpoint where 'webhook-endpoint:' || guid = purpose)
  or purpose like 'master:%'
    and not exists (select from master_device where 'master:' || guid = purpose));
