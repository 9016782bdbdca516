package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.id.ExecutorId;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A decision of dynamic allocation: the total number of executors to request, the executors to release, and the time at
 * which the next decision is due even without an event.
 */
public record AllocationDecision(int wanted, Set<ExecutorId> released, OptionalLong wakeNanos) {}
