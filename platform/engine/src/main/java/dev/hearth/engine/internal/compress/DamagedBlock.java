package dev.hearth.engine.internal.compress;

/** A block that no compressor wrote. Whoever knows where it came from says so. */
public final class DamagedBlock extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedBlock(String message) {
        super(message);
    }

    DamagedBlock(String message, Throwable cause) {
        super(message, cause);
    }
}
