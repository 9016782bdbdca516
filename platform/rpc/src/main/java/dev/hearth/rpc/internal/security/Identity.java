package dev.hearth.rpc.internal.security;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/** Certificate chain of a process, its own certificate first, and the private key of that certificate. */
record Identity(PrivateKey key, List<X509Certificate> chain) {
    Identity {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("chain: no certificate (expected: 1 or more)");
        }
    }

    X509Certificate certificate() {
        return chain.get(0);
    }

    /** Describes the identity without its private key. */
    @Override
    public String toString() {
        return "certificate " + certificate().getSubjectX500Principal() + " of "
                + certificate().getSerialNumber().toString(16);
    }
}
