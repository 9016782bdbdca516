package dev.hearth.yarn.internal.allocator;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reasons why executors of each context do not come, as they were last reported. A reason of another kind is reported at
 * once; other words for the same kind at most every 10 s. A state machine without a clock. Owned by {@link Allocator}.
 */
final class Obstacles {
    private static final Duration SAME_KIND_AFTER = Duration.ofSeconds(10);

    private final Map<Integer, Reported> reported = new LinkedHashMap<>();
    private final Consumer<AllocationEffect> effects;

    enum Kind {
        NONE,
        SIZE,
        LINE,
        FAILURES,
        QUEUE
    }

    /** An obstacle, in words for the user. */
    record Obstacle(Kind kind, String words) {
        static final Obstacle NONE = new Obstacle(Kind.NONE, "");
    }

    private record Reported(Obstacle obstacle, long nanos) {}

    Obstacles(Consumer<AllocationEffect> effects) {
        this.effects = effects;
    }

    void update(int context, Obstacle obstacle, long now) {
        Reported last = reported.get(context);
        Obstacle before = last == null ? Obstacle.NONE : last.obstacle;
        boolean due = last == null || now - last.nanos >= SAME_KIND_AFTER.toNanos();
        if (obstacle.kind != before.kind || (due && !obstacle.equals(before))) {
            reported.put(context, new Reported(obstacle, now));
            effects.accept(new AllocationEffect.Hindered(context, obstacle.words, obstacle.kind == Kind.SIZE));
        }
    }

    void forget(int context) {
        reported.remove(context);
    }
}
