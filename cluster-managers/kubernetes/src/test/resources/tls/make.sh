#!/usr/bin/env bash
# Makes the certificates of the tests. They are for addresses of the own machine and names that do not exist, and their keys are public.
set -euo pipefail
cd "$(dirname "$0")"
days=36500

authority() { # NAME
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -sha256 -days $days -subj "/CN=$1" -keyout "$1.key" -out "$1.pem"
}

issue() { # NAME AUTHORITY EXTENSION KEYARGS...
  local name=$1 authority=$2 extension=$3
  shift 3
  openssl req -new "$@" -nodes -subj "/CN=$name" -keyout "$name.key" -out "$name.csr"
  openssl x509 -req -in "$name.csr" -CA "$authority.pem" -CAkey "$authority.key" -CAcreateserial -sha256 -days $days \
      -extfile <(echo "$extension") -out "$name.pem"
  rm "$name.csr"
}

ec=(-newkey ec -pkeyopt ec_paramgen_curve:P-256)
authority first-authority
authority second-authority
issue first-server first-authority 'subjectAltName=DNS:localhost,IP:127.0.0.1' "${ec[@]}"
issue second-server second-authority 'subjectAltName=DNS:localhost,IP:127.0.0.1' "${ec[@]}"
issue named-server first-authority 'subjectAltName=DNS:api.cluster.example' "${ec[@]}"
issue client first-authority 'extendedKeyUsage=clientAuth' "${ec[@]}"
issue client-rsa first-authority 'extendedKeyUsage=clientAuth' -newkey rsa:2048
openssl ec -in client.key -out client-sec1.key
openssl rsa -in client-rsa.key -traditional -out client-rsa-pkcs1.key
rm -f ./*-authority.key ./*.srl
