package dev.hearth.kubernetes.internal.client;

import java.util.Map;
import java.util.Optional;

/** Response of an API server; the names of its headers are in small letters. Immutable. */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
record ApiResponse(int code, Map<String, String> headers, byte[] body) {
    private static final int HUNDRED = 100;

    boolean isSuccessful() {
        return code / HUNDRED == 2;
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    @Override
    public String toString() {
        return "status " + code + " with " + body.length + " bytes";
    }
}
