package dev.hearth.spi.monitor;

import java.util.OptionalLong;

/**
 * Identity of one application, with the times of its start and, if it has ended, its end. {@code attempt} distinguishes
 * restarts by the cluster, and is empty on clusters that start an application only once.
 */
public record ApplicationView(
        String id,
        String name,
        String user,
        String master,
        String attempt,
        long startedMillis,
        OptionalLong endedMillis) {}
