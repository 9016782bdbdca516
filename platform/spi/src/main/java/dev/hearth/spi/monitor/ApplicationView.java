package dev.hearth.spi.monitor;

import dev.hearth.spi.cluster.ApplicationLinks;
import java.util.OptionalLong;

/**
 * Identity of one application, with the times of its start and, if it has ended, its end. {@code attempt} distinguishes
 * restarts by the cluster, and is empty on clusters that start an application only once. {@code hindrance} is the
 * reason why the cluster starts no more executors; it is empty as long as the cluster starts some. {@code links} are
 * the addresses of the application on its cluster.
 */
public record ApplicationView(
        String id,
        String name,
        String user,
        String master,
        String attempt,
        long startedMillis,
        OptionalLong endedMillis,
        String hindrance,
        ApplicationLinks links) {
    /** Application without a hindrance and links: its cluster starts executors. */
    public ApplicationView(
            String id,
            String name,
            String user,
            String master,
            String attempt,
            long startedMillis,
            OptionalLong endedMillis) {
        this(id, name, user, master, attempt, startedMillis, endedMillis, "", ApplicationLinks.NONE);
    }

    /** The same application with these links. */
    public ApplicationView with(ApplicationLinks found) {
        return new ApplicationView(id, name, user, master, attempt, startedMillis, endedMillis, hindrance, found);
    }

    /**
     * The same application with {@code reason} as its hindrance; an empty reason says that the cluster starts
     * executors.
     */
    public ApplicationView hinderedBy(String reason) {
        return new ApplicationView(id, name, user, master, attempt, startedMillis, endedMillis, reason, links);
    }

    /** The same application, ended at {@code millis} and without a hindrance. */
    public ApplicationView endedAt(long millis) {
        return new ApplicationView(id, name, user, master, attempt, startedMillis, OptionalLong.of(millis), "", links);
    }
}
