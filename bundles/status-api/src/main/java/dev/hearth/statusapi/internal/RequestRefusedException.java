package dev.hearth.statusapi.internal;

import dev.hearth.spi.http.HttpAnswer;

/** Thrown when a request is rejected; contains an HTTP status and a one-line reason. */
final class RequestRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;

    private final int status;

    private RequestRefusedException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    static RequestRefusedException notFound(String message) {
        return new RequestRefusedException(NOT_FOUND, message);
    }

    static RequestRefusedException badValue(String parameter, String expected, String found) {
        return new RequestRefusedException(
                BAD_REQUEST,
                "Bad value for parameter \"" + parameter + "\".  Expected a " + expected + ", got \"" + found + "\"");
    }

    static RequestRefusedException method(String method) {
        return new RequestRefusedException(METHOD_NOT_ALLOWED, method + " is not supported; use GET");
    }

    HttpAnswer answer() {
        return HttpAnswer.text(status, String.valueOf(getMessage()));
    }
}
