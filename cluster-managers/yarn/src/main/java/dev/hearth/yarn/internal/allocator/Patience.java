package dev.hearth.yarn.internal.allocator;

import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Bounds of what an application bears before it gives up: failures of executors, time without a node, time without an
 * application master. A state machine without a clock. Owned by {@link Allocator}.
 */
final class Patience {
    private static final int FAILURES_LEAST = 3;
    private static final int FAILURES_DEFAULT_MAX = 10_000;
    /** Time for which all nodes are excluded and nothing runs before the application ends. */
    private static final Duration NO_NODE_MAX = Duration.ofSeconds(30);

    private final AllocatorRules rules;
    private final FailureWindows failures;
    private int mostWanted;
    private String lastFailure = "";
    private Line line = Line.UNREGISTERED;
    private String lineWords = "";
    private long downSinceNanos;
    private OptionalLong noNodeSinceNanos = OptionalLong.empty();

    private enum Line {
        UNREGISTERED,
        UP,
        DOWN
    }

    Patience(AllocatorRules rules, FailureWindows failures) {
        this.rules = rules;
        this.failures = failures;
    }

    /** Notes how many executors are wanted, which bounds failures by default. */
    void wanted(int executors) {
        mostWanted = Math.max(mostWanted, executors);
    }

    void lineUp() {
        line = Line.UP;
    }

    void lineDown(String why, long now) {
        if (line == Line.UP) {
            line = Line.DOWN;
            downSinceNanos = now;
        }
        lineWords = why;
    }

    boolean isRegistered() {
        return line != Line.UNREGISTERED;
    }

    boolean isLineDown() {
        return line == Line.DOWN;
    }

    /** State of the line and of executors, for the words about obstacles. */
    Obstacles.Situation situation(String queue, HeadroomBound headroom) {
        return new Obstacles.Situation(
                isRegistered(),
                isLineDown() ? Optional.of(lineWords) : Optional.empty(),
                queue,
                headroom.headroom(),
                lastFailure);
    }

    /** Counts a failure of an executor; returns the end of the application if it is one too many. */
    Optional<AllocationEffect.GiveUp> failed(String reason, long now) {
        failures.failed(now);
        lastFailure = reason;
        int byDefault = (int) Math.min(FAILURES_DEFAULT_MAX, Math.max(FAILURES_LEAST, 2L * mostWanted));
        int most = Math.min(FailureWindows.FAILURES_MAX, rules.failures().max().orElse(byDefault));
        return failures.count(now) < most
                ? Optional.empty()
                : Optional.of(new AllocationEffect.GiveUp(
                        ErrorCode.EXECUTORS_FAILED,
                        "Max number of executor failures (" + most + ") reached (expected: fewer,"
                                + " hearth.executor.maxNumFailures); the last one: " + lastFailure));
    }

    /** The end of the application if there has been no line for too long. */
    Optional<AllocationEffect.GiveUp> checkLine(long now) {
        Duration bound = rules.reconnectBound();
        return !isLineDown() || now - downSinceNanos < bound.toNanos()
                ? Optional.empty()
                : Optional.of(new AllocationEffect.GiveUp(
                        ErrorCode.CLUSTER_LOST,
                        "no application master for " + bound.toSeconds() + " s: " + lineWords
                                + " (expected: one within hearth.yarn.am.reconnectTimeout)"));
    }

    /**
     * The end of the application if all nodes are excluded for a while and nothing runs: {@code none} says that it is so now.
     * Nodes register again after a restart of theirs.
     */
    Optional<AllocationEffect.GiveUp> checkNodes(boolean none, int nodes, long now) {
        noNodeSinceNanos =
                !none ? OptionalLong.empty() : noNodeSinceNanos.isPresent() ? noNodeSinceNanos : OptionalLong.of(now);
        return !none || now - noNodeSinceNanos.getAsLong() < NO_NODE_MAX.toNanos()
                ? Optional.empty()
                : Optional.of(new AllocationEffect.GiveUp(
                        ErrorCode.EXECUTORS_FAILED,
                        "Due to executor failures all available nodes are excluded (expected: at least one of " + nodes
                                + " nodes)" + (lastFailure.isEmpty() ? "" : "; the last failure: " + lastFailure)));
    }

    /** Nanoseconds until a bound may be reached. */
    long remaining(long now) {
        long next = Long.MAX_VALUE;
        if (isLineDown()) {
            next = Math.max(0, downSinceNanos + rules.reconnectBound().toNanos() - now);
        }
        if (noNodeSinceNanos.isPresent()) {
            next = Math.min(next, Math.max(0, noNodeSinceNanos.getAsLong() + NO_NODE_MAX.toNanos() - now));
        }
        return next;
    }
}
