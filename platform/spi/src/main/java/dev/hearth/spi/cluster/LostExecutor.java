package dev.hearth.spi.cluster;

import java.util.List;
import java.util.OptionalInt;

/** Loss of an executor, with its cause. {@code reason}, {@code exitStatus} and {@code logs} are for display. */
public record LostExecutor(Cause cause, String reason, OptionalInt exitStatus, List<String> logs) {
    public LostExecutor {
        logs = List.copyOf(logs);
    }

    /**
     * Cause of the loss; docs/executors.md lists the consequences of each cause. Cluster managers report {@link
     * #FAILED}, {@link #RELEASED}, {@link #HOST_LOST}, {@link #PREEMPTED} and {@link #OUT_OF_MEMORY}; the driver
     * detects the others. Messages contain the ordinal, so new constants belong at the end.
     */
    public enum Cause {
        /** The executor ended by itself; its tasks may be the cause. */
        FAILED,
        /** The application released or stopped the executor. */
        RELEASED,
        /** The host or worker of the executor is lost. */
        HOST_LOST,
        /** The cluster preempted the executor for another application. */
        PREEMPTED,
        /** The executor's connection to the driver broke, and the cluster manager did not report its end. */
        UNREACHABLE,
        /** Its heartbeats stopped. */
        SILENT,
        /** The executor was excluded and released after too many failures on it or its host. */
        EXCLUDED,
        /** The executor was decommissioned, and ended during or after its decommissioning. */
        DECOMMISSIONED,
        /** The executor never ran a task, because the driver refused its registration. */
        REFUSED,
        /** The executor never ran a task, because it did not register in time after its start. */
        NEVER_CAME,
        /** The executor exceeded the memory of its process or container. */
        OUT_OF_MEMORY;

        /** Whether the loss counts as a failed attempt of each task that was running on the executor. */
        public boolean chargesTasks() {
            return switch (this) {
                case FAILED, UNREACHABLE, SILENT, OUT_OF_MEMORY -> true;
                case RELEASED, HOST_LOST, PREEMPTED, EXCLUDED, DECOMMISSIONED, REFUSED, NEVER_CAME -> false;
            };
        }

        /**
         * Whether the task attempts that failed with the executor count towards exclusion of the executor and its host.
         * A lack of memory says nothing about the host, because every executor of the application has the same amount.
         */
        public boolean chargesHost() {
            return chargesTasks() && this != OUT_OF_MEMORY;
        }

        /** Whether the loss was intended by the application or the cluster. */
        public boolean isExpected() {
            return switch (this) {
                case RELEASED, PREEMPTED, DECOMMISSIONED -> true;
                case FAILED, HOST_LOST, UNREACHABLE, SILENT, EXCLUDED, REFUSED, NEVER_CAME, OUT_OF_MEMORY -> false;
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
