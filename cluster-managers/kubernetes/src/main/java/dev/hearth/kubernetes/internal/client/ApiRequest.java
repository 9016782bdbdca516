package dev.hearth.kubernetes.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Request to an API server, whose URL begins with the server's address. {@code contentType} is empty without a body. Immutable. */
@SuppressWarnings("ArrayRecordComponent") // sent once, never compared
record ApiRequest(String method, String url, String contentType, byte[] body) {
    private static final byte[] NOTHING = {};

    static ApiRequest get(String url) {
        return new ApiRequest("GET", url, "", NOTHING);
    }

    static ApiRequest of(String method, String url, String contentType, String body) {
        return new ApiRequest(method, url, contentType, body.getBytes(UTF_8));
    }

    /** Whether the request changes nothing, so that it may be sent twice. */
    boolean isSafe() {
        return method.equals("GET");
    }

    @Override
    public String toString() {
        return method + " " + url;
    }
}
