#!/usr/bin/env bash
# Makes the files of this folder anew; needs OpenSSL 3 and keytool of JDK 17.
set -euo pipefail
cd "$(dirname "$0")"
rm -f ./*.pem ./*.key ./*.p12 ./*.jks ./*.jceks
days=36500
secret=changeit

# An authority and two clients.
openssl ecparam -genkey -name prime256v1 -noout | openssl pkcs8 -topk8 -nocrypt -out ca.key
openssl req -x509 -key ca.key -subj "/CN=Test authority" -days $days -out ca.pem
for name in first second; do
    openssl ecparam -genkey -name prime256v1 -noout | openssl pkcs8 -topk8 -nocrypt -out $name.key
    openssl req -new -key $name.key -subj "/CN=$name" -out $name.csr
    # An extension makes it version 3: TLS libraries refuse version 1.
    echo "basicConstraints = CA:FALSE" >extensions
    openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -days $days -extfile extensions -out $name.pem 2>/dev/null
    rm $name.csr extensions
done

# PKCS#12 by OpenSSL: with today's algorithms, with the old ones, and without a key.
openssl pkcs12 -export -in first.pem -inkey first.key -certfile ca.pem -name First -passout pass:$secret -out openssl.p12
openssl pkcs12 -export -legacy -in first.pem -inkey first.key -certfile ca.pem -name First -passout pass:$secret \
    -out openssl-legacy.p12
openssl pkcs12 -export -nokeys -in ca.pem -passout pass:$secret -out openssl-trust.p12

# Two keys and trusted certificates in each format of Java.
openssl pkcs12 -export -in second.pem -inkey second.key -certfile ca.pem -name second -passout pass:$secret -out second.p12
for format in pkcs12:p12 jks:jks jceks:jceks; do
    type=${format%:*} file=${format#*:}
    for from in openssl.p12 second.p12; do
        keytool -importkeystore -noprompt -srckeystore $from -srcstorepass $secret -srcstoretype pkcs12 \
            -destkeystore keytool.$file -deststorepass $secret -deststoretype $type 2>/dev/null
    done
    keytool -importcert -noprompt -alias authority -file ca.pem \
        -keystore keytool-trust.$file -storepass $secret -storetype $type 2>/dev/null
done
rm second.p12

# A key that no TLS of today speaks; a key with a password of its own; a secret key.
keytool -genkeypair -alias dsa -keyalg DSA -keysize 1024 -dname CN=dsa -validity $days \
    -keystore dsa.jks -storetype jks -storepass $secret 2>/dev/null
keytool -genkeypair -alias own -keyalg EC -dname CN=own -validity $days \
    -keystore own-password.jks -storetype jks -storepass $secret -keypass different 2>/dev/null
keytool -genseckey -alias secret -keyalg AES -keysize 128 \
    -keystore secret.jceks -storetype jceks -storepass $secret 2>/dev/null
