package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.id.ExecutorId;
import java.util.OptionalLong;
import java.util.Set;

/** How many executors are wanted in all, which are to go, and when to decide again though nothing happens. */
public record AllocationDecision(int wanted, Set<ExecutorId> leaving, OptionalLong wakeNanos) {}
