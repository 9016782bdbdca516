package dev.hearth.spi.monitor;

import java.util.OptionalLong;

/**
 * Identity of one application, with the times of its start and, if it has ended, its end. {@code attempt} distinguishes
 * restarts by the cluster, and is empty on clusters that start an application only once. {@code hindrance} is the
 * reason why the cluster starts no more executors; it is empty as long as the cluster starts some.
 */
public record ApplicationView(
        String id,
        String name,
        String user,
        String master,
        String attempt,
        long startedMillis,
        OptionalLong endedMillis,
        String hindrance) {
    /** Application without a hindrance: its cluster starts executors. */
    public ApplicationView(
            String id,
            String name,
            String user,
            String master,
            String attempt,
            long startedMillis,
            OptionalLong endedMillis) {
        this(id, name, user, master, attempt, startedMillis, endedMillis, "");
    }

    /**
     * The same application with {@code reason} as its hindrance; an empty reason says that the cluster starts
     * executors.
     */
    public ApplicationView hinderedBy(String reason) {
        return new ApplicationView(id, name, user, master, attempt, startedMillis, endedMillis, reason);
    }

    /** The same application, ended at {@code millis} and without a hindrance. */
    public ApplicationView endedAt(long millis) {
        return new ApplicationView(id, name, user, master, attempt, startedMillis, OptionalLong.of(millis), "");
    }
}
