package dev.hearth.spi.cluster;

import java.util.List;
import java.util.OptionalInt;

/** Loss of an executor. {@code reason}, {@code exitStatus} and {@code logs} are for display. */
public record LostExecutor(Cause cause, String reason, OptionalInt exitStatus, List<String> logs) {
    public LostExecutor {
        logs = List.copyOf(logs);
    }

    /**
     * Cause of the loss; docs/executors.md lists the consequences of each. The first four are reported by cluster
     * managers, the others detected by the driver. Sent by ordinal: add constants at the end only.
     */
    public enum Cause {
        /** Ended by itself; its tasks may be the cause. */
        FAILED,
        /** Released or stopped by the application. */
        RELEASED,
        /** Its host or worker is lost. */
        HOST_LOST,
        /** The cluster preempted it for another application. */
        PREEMPTED,
        /** Its connection to the driver broke, and the cluster manager did not report its end. */
        UNREACHABLE,
        /** Its heartbeats stopped. */
        SILENT,
        /** Excluded and released after too many failures on it or its host. */
        EXCLUDED,
        /** Decommissioned: drained, or ended while draining. */
        DECOMMISSIONED,
        /** Never ran a task: the driver refused its registration. */
        REFUSED,
        /** Never ran a task: it was started but did not register in time. */
        NEVER_CAME;

        /**
         * Whether the loss counts as a failed attempt of each task that was running on the executor. Such failures
         * count towards exclusion of the executor and its host.
         */
        public boolean chargesTasks() {
            return switch (this) {
                case FAILED, UNREACHABLE, SILENT -> true;
                case RELEASED, HOST_LOST, PREEMPTED, EXCLUDED, DECOMMISSIONED, REFUSED, NEVER_CAME -> false;
            };
        }

        /** Whether the loss was intended by the application or the cluster. */
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

    /** The same loss with another cause. */
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
