package dev.hearth.rpc.internal.http;

/**
 * Errors of the HTTP server itself, as opposed to errors of handlers. The name of each constant is the error code that
 * clients see.
 */
enum HttpError {
    BAD_REQUEST(400),
    UNAUTHORIZED(401),
    FORBIDDEN(403),
    NOT_FOUND(404),
    REQUEST_TIMEOUT(408),
    CONTENT_TOO_LARGE(413),
    URI_TOO_LONG(414),
    EXPECTATION_FAILED(417),
    MISDIRECTED_REQUEST(421),
    HEADERS_TOO_LARGE(431),
    INTERNAL(500),
    NOT_IMPLEMENTED(501),
    BUSY(503),
    GATE_MISSING(503),
    HANDLER_TIMED_OUT(504),
    VERSION_NOT_SUPPORTED(505);

    private final int status;

    HttpError(int status) {
        this.status = status;
    }

    int status() {
        return status;
    }

    RequestRefused refused(String message) {
        return new RequestRefused(this, message);
    }
}
