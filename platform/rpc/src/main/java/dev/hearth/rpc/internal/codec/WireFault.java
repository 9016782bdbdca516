package dev.hearth.rpc.internal.codec;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;

/**
 * Bytes that are no message, or a message that cannot become bytes; gathers where on its way out of nested records.
 * <p>Carries no stack trace: what the other side sent is to blame, not the code that noticed.
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

    /** This fault, known to have happened in {@code component} of {@code record}. */
    WireFault in(Class<?> record, String component) {
        String here = record.getSimpleName() + "." + component;
        place = place.isEmpty() ? here : here + " > " + place;
        return this;
    }

    /** This fault as a failure of {@code subject}, for people. */
    public HearthException failure(String subject) {
        return code.failure(subject + (place.isEmpty() ? "" : ", " + place) + ": " + what);
    }

    @Override
    public String getMessage() {
        return place.isEmpty() ? what : place + ": " + what;
    }
}
