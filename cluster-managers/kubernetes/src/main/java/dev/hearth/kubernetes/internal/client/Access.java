package dev.hearth.kubernetes.internal.client;

/**
 * Credentials of requests at one time: the value of the header {@code Authorization}, empty if there is none, and the TLS
 * context. Immutable; its text form contains no credentials.
 */
record Access(String authorization, Tls tls) {
    @Override
    public String toString() {
        return authorization.isEmpty() ? "access by certificate" : "access with a header";
    }
}
