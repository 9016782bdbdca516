package dev.hearth.rpc.internal.codec;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;

/**
 * Thrown on bytes that are not a message, or on a message that cannot be encoded. It collects its location (record and
 * component) while it propagates through nested records.
 *
 * <p>It has no stack trace, because the cause is the data, not the code that detects it.
 */
public final class WireFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String what;
    private String place = "";

    WireFault(ErrorCode code, String what) {
        super(what, null, false, false);
        this.code = code;
        this.what = what;
    }

    static WireFault malformed(String what) {
        return new WireFault(ErrorCode.MALFORMED_MESSAGE, what);
    }

    /**
     * Adds {@code component} of {@code record} to the front of the path that locates the fault in the message, from the
     * outermost record to the innermost.
     */
    WireFault in(Class<?> record, String component) {
        String here = record.getSimpleName() + "." + component;
        place = place.isEmpty() ? here : here + " > " + place;
        return this;
    }

    /**
     * Converts this fault into the exception that callers get. Its text begins with {@code subject}, and states the
     * place in the message and the problem.
     */
    public HearthException failure(String subject) {
        return code.failure(subject + (place.isEmpty() ? "" : ", " + place) + ": " + what);
    }

    @Override
    public String getMessage() {
        return place.isEmpty() ? what : place + ": " + what;
    }
}
