package dev.hearth.spi.cluster;

import java.util.List;
import java.util.OptionalInt;

/** Why an executor is gone; {@code reason}, {@code exitStatus} and {@code logs} are for people to read. */
public record LostExecutor(Cause cause, String reason, OptionalInt exitStatus, List<String> logs) {
    public LostExecutor {
        logs = List.copyOf(logs);
    }

    /** What took it. Constants are only added at the end: they travel by position. */
    public enum Cause {
        /** It ended, or cannot be reached, and its tasks may be why. */
        FAILED,
        /** It was released or stopped. */
        RELEASED,
        /** Its host or worker is gone. */
        HOST_LOST,
        /** The cluster needed its place for somebody else. */
        PREEMPTED;

        /** Whether the tasks it ran are charged with a failure. */
        public boolean chargesTasks() {
            return this == FAILED;
        }
    }

    public static LostExecutor because(String reason) {
        return new LostExecutor(Cause.FAILED, reason, OptionalInt.empty(), List.of());
    }

    public static LostExecutor released(String reason) {
        return new LostExecutor(Cause.RELEASED, reason, OptionalInt.empty(), List.of());
    }

    @Override
    public String toString() {
        String status = exitStatus.isPresent() ? "exit status " + exitStatus.getAsInt() : "";
        return reason
                + (reason.contains(status) ? "" : ", " + status)
                + (logs.isEmpty() ? "" : "; see " + String.join(", ", logs));
    }
}
