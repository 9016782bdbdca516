package dev.hearth.spi.error;

/**
 * Exit code of a process, documented in docs/errors.md. Where Spark has an exit code for the same case, the number is
 * Spark's.
 */
public enum ExitCode {
    OK(0),
    FAILED(1),
    USAGE(2),
    PATH_MISSING(3),
    CLUSTER_UNREACHABLE(4),
    CLUSTER_LOST(5),
    REFUSED(6),
    START_FAILED(7),
    KILLED(8),
    UNCAUGHT(50),
    OUT_OF_MEMORY(52),
    DRIVER_LOST(56),
    CLASS_NOT_FOUND(101),
    OUTPUT_CLOSED(141),
    TERMINATED(143);

    private final int status;

    ExitCode(int status) {
        this.status = status;
    }

    public int status() {
        return status;
    }
}
