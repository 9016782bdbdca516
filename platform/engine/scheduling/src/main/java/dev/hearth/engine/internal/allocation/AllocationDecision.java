package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.id.ExecutorId;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A decision of dynamic allocation: the total number of executors to request, the executors to release, and the time of
 * the next decision if nothing happens before.
 */
public record AllocationDecision(int wanted, Set<ExecutorId> released, OptionalLong wakeNanos) {}
