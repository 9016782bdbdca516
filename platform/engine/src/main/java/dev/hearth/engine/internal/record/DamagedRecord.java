package dev.hearth.engine.internal.record;

/** Bytes that no writer of ours made. Whoever knows which file or peer they came from says so. */
public final class DamagedRecord extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DamagedRecord(String message) {
        super(message);
    }
}
