package dev.hearth.yarn.internal.allocator;

import dev.hearth.yarn.internal.line.ContainerCapability;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reasons why executors of each context do not come, and as they were last reported. A reason of another kind is reported at
 * once; other words for the same kind at most every 10 s. A state machine without a clock. Owned by {@link Allocator}.
 */
final class Obstacles {
    private static final Duration SAME_KIND_AFTER = Duration.ofSeconds(10);
    private static final Duration WAIT_REPORTED_AFTER = Duration.ofSeconds(10);

    private final Map<Integer, Reported> reported = new LinkedHashMap<>();
    private final AskPlanner planner;
    private final Consumer<AllocationEffect> effects;

    /** Kinds of obstacles; the first one is reported. */
    private enum Kind {
        /** No node could hold the executor. */
        SIZE,
        /** The application master does not answer. */
        LINE,
        /** Executors end soon after their start. */
        FAILURES,
        /** The queue grants nothing. */
        QUEUE,
        NONE
    }

    /** An obstacle, in words for the user. */
    private record Obstacle(Kind kind, String words) {
        static final Obstacle NONE = new Obstacle(Kind.NONE, "");
    }

    private record Reported(Obstacle obstacle, long nanos) {}

    /**
     * State of the allocator beside its pools: whether it was registered, why the line is down if it is, its queue and what
     * that has room for, and the last failure of an executor.
     */
    record Situation(
            boolean registered,
            Optional<String> lineDown,
            String queue,
            ContainerCapability headroom,
            String lastFailure) {}

    Obstacles(AskPlanner planner, Consumer<AllocationEffect> effects) {
        this.planner = planner;
        this.effects = effects;
    }

    void update(int context, Iterable<ContainerPool> pools, Situation situation, long now) {
        Obstacle found = Obstacle.NONE;
        for (ContainerPool pool : pools) {
            if (pool.key.context() == context && pool.held() < planner.wanted(pool)) {
                Obstacle one = find(pool, situation, now);
                found = one.kind.compareTo(found.kind) < 0 ? one : found;
            }
        }
        report(context, found, now);
    }

    void forget(int context) {
        reported.remove(context);
    }

    private void report(int context, Obstacle obstacle, long now) {
        Reported last = reported.get(context);
        Obstacle before = last == null ? Obstacle.NONE : last.obstacle;
        boolean due = last == null || now - last.nanos >= SAME_KIND_AFTER.toNanos();
        if (obstacle.kind != before.kind || (due && !obstacle.equals(before))) {
            reported.put(context, new Reported(obstacle, now));
            effects.accept(new AllocationEffect.Hindered(context, obstacle.words, obstacle.kind == Kind.SIZE));
        }
    }

    private Obstacle find(ContainerPool pool, Situation situation, long now) {
        ContainerCapability each = pool.needs.capability();
        if (situation.registered && !planner.isPlaceable(pool)) {
            return new Obstacle(
                    Kind.SIZE,
                    "executor: a container of " + words(each) + " (expected: at most " + words(planner.maximum())
                            + ", the largest of the cluster); lower hearth.executor.memory,"
                            + " hearth.executor.memoryOverhead or hearth.executor.cores");
        }
        if (situation.lineDown.isPresent()) {
            return new Obstacle(
                    Kind.LINE, "the application master does not answer at present: " + situation.lineDown.get());
        }
        if (pool.backoff.earlyEnds() > 1) {
            return new Obstacle(
                    Kind.FAILURES, "executors end soon after their start, the last one: " + situation.lastFailure);
        }
        boolean waits = pool.asks.size() > 0 && now - pool.waitingSinceNanos >= WAIT_REPORTED_AFTER.toNanos();
        if (waits) {
            return new Obstacle(
                    Kind.QUEUE,
                    "queue " + situation.queue + " grants no container of " + words(each)
                            + " at present; it has room for " + words(situation.headroom));
        }
        return Obstacle.NONE;
    }

    private static String words(ContainerCapability size) {
        String words = size.memoryMebibytes() + " MiB and " + size.cores() + (size.cores() == 1 ? " core" : " cores");
        return size.resources().isEmpty() ? words : words + " and " + size.resources();
    }
}
