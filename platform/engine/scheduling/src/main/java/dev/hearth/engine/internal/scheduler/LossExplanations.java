package dev.hearth.engine.internal.scheduler;

import dev.hearth.spi.id.ExecutorId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reasons of losses that a cluster manager reported after the loss itself, by executor. Retains the newest {@link
 * #EXECUTORS_MAX}. Owned by {@link TaskScheduler}.
 */
final class LossExplanations {
    static final int EXECUTORS_MAX = 1_000;
    /** Number of losses that the failure of one task names. */
    static final int NAMED_MAX = 3;

    private final Map<ExecutorId, String> reasons = new LinkedHashMap<>();

    void add(ExecutorId executor, String reason) {
        reasons.remove(executor);
        reasons.put(executor, reason);
        if (reasons.size() > EXECUTORS_MAX) {
            reasons.remove(reasons.keySet().iterator().next());
        }
    }

    /** Describes the explained losses among {@code lost} as a part of a sentence. Empty if none is explained. */
    String describe(List<ExecutorId> lost) {
        List<String> explained = lost.stream()
                .distinct()
                .map(executor -> reasons.containsKey(executor)
                        ? "executor " + executor + ": " + Objects.requireNonNull(reasons.get(executor))
                        : "")
                .filter(text -> !text.isEmpty())
                .limit(NAMED_MAX)
                .toList();
        return explained.isEmpty() ? "" : "; earlier losses were explained later: " + String.join("; ", explained);
    }
}
