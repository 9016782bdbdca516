package dev.hearth.yarn.internal.allocator;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * Rules of an {@link Allocator}. {@code reconnectBound} is the longest time without a line, {@code preemptionNotice} the time
 * between the ResourceManager's notice and the kill, {@code executorsMax} the bound of each pool. {@code byHeadroom} says that
 * asks grow with the headroom, as dynamic allocation wants it. Immutable.
 */
public record AllocatorRules(
        Pace pace,
        Failures failures,
        Exclusion exclusion,
        Duration reconnectBound,
        Duration preemptionNotice,
        boolean byHeadroom,
        int executorsMax) {
    /** Rules of an application that sets none, on a cluster that sets none. */
    public static final AllocatorRules DEFAULTS = new AllocatorRules(
            new Pace(Duration.ofMillis(100), Duration.ofSeconds(3)),
            new Failures(OptionalInt.empty(), Optional.empty()),
            new Exclusion(Set.of(), false, 2, Duration.ofHours(1)),
            Duration.ofMinutes(2),
            Duration.ofSeconds(15),
            false,
            10_000);

    /** Intervals of beats: the first one while asks are open, which doubles, and the one without open asks. */
    public record Pace(Duration pending, Duration idle) {}

    /** Number of executor failures that ends the application, by default twice the executors; how long a failure counts. */
    public record Failures(OptionalInt max, Optional<Duration> validity) {}

    /**
     * Nodes that are never used, and whether a node is excluded for {@code timeout} once more than {@code failuresMax}
     * containers have failed there.
     */
    public record Exclusion(Set<String> nodes, boolean onFailure, int failuresMax, Duration timeout) {
        public Exclusion {
            nodes = Collections.unmodifiableSet(new TreeSet<>(nodes));
        }
    }

    /** The same rules with another pace. */
    public AllocatorRules with(Pace other) {
        return new AllocatorRules(
                other, failures, exclusion, reconnectBound, preemptionNotice, byHeadroom, executorsMax);
    }

    /** The same rules with other bounds of failures. */
    public AllocatorRules with(Failures other) {
        return new AllocatorRules(pace, other, exclusion, reconnectBound, preemptionNotice, byHeadroom, executorsMax);
    }

    /** The same rules with another exclusion of nodes. */
    public AllocatorRules with(Exclusion other) {
        return new AllocatorRules(pace, failures, other, reconnectBound, preemptionNotice, byHeadroom, executorsMax);
    }

    /** The same rules, for a cluster with other times. */
    public AllocatorRules on(Duration reconnect, Duration notice) {
        return new AllocatorRules(pace, failures, exclusion, reconnect, notice, byHeadroom, executorsMax);
    }

    /** The same rules with asks that grow with the headroom. */
    public AllocatorRules growingByHeadroom() {
        return new AllocatorRules(pace, failures, exclusion, reconnectBound, preemptionNotice, true, executorsMax);
    }
}
