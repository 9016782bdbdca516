package dev.hearth.standalone.internal.master;

import java.time.Duration;

/**
 * Times after the start of a master for which it waits for what the one before has left. {@code workers} is that for
 * workers to register again; drivers of those that do not are lost then. {@code fence} is that in which the supervised
 * drivers of a worker that cannot reach a master end. Immutable.
 */
record RecoveryTimes(Duration workers, Duration fence) {}
