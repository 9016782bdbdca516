package dev.hearth.rpc.internal.http;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Thrown to refuse a request. The message is sent to the client. It has no stack trace, because clients can cause many.
 */
final class RequestRefused extends Exception {
    private static final long serialVersionUID = 1L;

    private final HttpError fault;
    private final transient Map<String, String> headers = new LinkedHashMap<>();

    RequestRefused(HttpError fault, String message) {
        super(message, null, false, false);
        this.fault = fault;
    }

    RequestRefused with(String header, String value) {
        headers.put(header, value);
        return this;
    }

    HttpError fault() {
        return fault;
    }

    String text() {
        return String.valueOf(getMessage());
    }

    Map<String, String> headers() {
        return headers;
    }
}
