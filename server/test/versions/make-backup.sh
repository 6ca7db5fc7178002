#!/bin/sh
# Makes the backup of a version, with one job: sh server/test/versions/make-backup.sh FILE.tar.gz
# Run it in the project folder of the version that is to be released, with Node 24, and add the file next to this script.
set -eu
here=$(mktemp -d)
export RECODERY_DATA_DIR="$here/data" RECODERY_PORT=18480 RECODERY_DEMO=on RECODERY_ENGINES=1 RECODERY_RESTORE_KITS=off
portal=http://localhost:$RECODERY_PORT
recodery() { node recodery.mjs "$@"; }
node recodery.mjs serve > "$here/log" 2>&1 &
served=$!
trap 'kill $served; wait $served || true; rm -rf "$here"' EXIT
until grep -q 'is ready' "$here/log"; do sleep 1; done

field() { node -p 'JSON.parse(fs.readFileSync(process.argv[1])).'"$2" "$here/$1"; }
call() { curl -sSf -H "Authorization: Bearer $token" "$@"; }
finish() {
  until grep -q '"isCompleted":true' "$here/$1"; do
    sleep 1
    call "$portal/api/async-operations/$(field "$1" guid)" -o "$here/$1"
  done
  grep -q '"isSuccessful":true' "$here/$1"
}
seq 1000 | head -c 2048 > "$here/image.bin"
seq 1000 1999 | head -c 2048 > "$here/modified.bin"
recodery device key --family kessv2 --serial KV2-000007 --out "$here/slave.json"
recodery device read --key "$here/slave.json" --protocol 9000 --component obd="$here/image.bin" --out "$here/read.tfc"
(umask 077 && recodery client add --customer-code CC-1001 --name Fixture --json > "$here/client.json")
curl -sSf -H 'Content-Type: application/json' -d @"$here/client.json" "$portal/api/access-tokens/request" -o "$here/token.json"
token=$(field token.json accessToken)
call -F readFile=@"$here/read.tfc" "$portal/api/kessv2/upload-read-file" -o "$here/decode.json"
finish decode.json
slot=$(field decode.json slotGUID)
call -X PUT -F modifiedFile=@"$here/modified.bin" "$portal/api/kessv2/upload-modified-file/$slot" -o "$here/modified.json"
call -H 'Content-Type: application/json' \
  -d "{\"kessv2FileSlotGUID\": \"$slot\", \"modifiedFileGUID\": \"$(field modified.json fileGUID)\"}" \
  "$portal/api/kessv2/encode-file" -o "$here/encode.json"
finish encode.json
recodery backup "$here/backup.tar"
gzip -9 < "$here/backup.tar" > "$1"
