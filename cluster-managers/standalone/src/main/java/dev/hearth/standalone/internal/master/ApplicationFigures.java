package dev.hearth.standalone.internal.master;

import dev.hearth.spi.id.ApplicationId;

/**
 * Numbers about an application that has not ended: the cores of its executors, and when it was submitted. {@code status} is
 * WAITING or RUNNING. Immutable.
 */
public record ApplicationFigures(ApplicationId id, String name, String status, int cores, long submittedMillis) {}
