package dev.hearth.spi.cluster;

import java.util.List;
import java.util.OptionalInt;

/** Why an executor is gone; {@code reason}, {@code exitStatus} and {@code logs} are for people to read. */
public record LostExecutor(Cause cause, String reason, OptionalInt exitStatus, List<String> logs) {
    public LostExecutor {
        logs = List.copyOf(logs);
    }

    /**
     * What took it; what follows from each stands in docs/executors.md. The first four are a manager's to tell, the others are
     * found by the driver. Constants are only added at the end: they travel by position.
     */
    public enum Cause {
        /** It ended by itself, and its tasks may be why. */
        FAILED,
        /** It was released or stopped. */
        RELEASED,
        /** Its host or worker is gone. */
        HOST_LOST,
        /** The cluster needed its place for somebody else. */
        PREEMPTED,
        /** Its connection ended, and its manager had nothing to say about it. */
        UNREACHABLE,
        /** It was not heard for too long. */
        SILENT,
        /** Too much failed on it or its host, and it was given back. */
        EXCLUDED,
        /** It was told to leave, and has left or ended on the way. */
        DECOMMISSIONED,
        /** It never ran anything: its driver did not let it in. */
        REFUSED,
        /** It never ran anything: it was started, and its driver has not heard of it in time. */
        NEVER_CAME;

        /** Whether the tasks it ran are charged with a failure, which counts against it and its host as well. */
        public boolean chargesTasks() {
            return switch (this) {
                case FAILED, UNREACHABLE, SILENT -> true;
                case RELEASED, HOST_LOST, PREEMPTED, EXCLUDED, DECOMMISSIONED, REFUSED, NEVER_CAME -> false;
            };
        }

        /** Whether it went because somebody wanted that. */
        public boolean isExpected() {
            return switch (this) {
                case RELEASED, PREEMPTED, DECOMMISSIONED -> true;
                case FAILED, HOST_LOST, UNREACHABLE, SILENT, EXCLUDED, REFUSED, NEVER_CAME -> false;
            };
        }
    }

    public static LostExecutor because(String reason) {
        return of(Cause.FAILED, reason);
    }

    public static LostExecutor released(String reason) {
        return of(Cause.RELEASED, reason);
    }

    public static LostExecutor of(Cause cause, String reason) {
        return new LostExecutor(cause, reason, OptionalInt.empty(), List.of());
    }

    /** The same loss, seen to have another cause. */
    public LostExecutor with(Cause found) {
        return new LostExecutor(found, reason, exitStatus, logs);
    }

    @Override
    public String toString() {
        String status = exitStatus.isPresent() ? "exit status " + exitStatus.getAsInt() : "";
        return reason
                + (reason.contains(status) ? "" : ", " + status)
                + (logs.isEmpty() ? "" : "; see " + String.join(", ", logs));
    }
}
