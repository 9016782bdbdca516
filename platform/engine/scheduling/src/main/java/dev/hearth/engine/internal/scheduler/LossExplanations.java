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
    /** Maximum number of lost executors whose reasons the failure of one task mentions. */
    static final int NAMED_MAX = 3;

    private final Map<ExecutorId, String> reasons = new LinkedHashMap<>();

    void add(ExecutorId executor, String reason) {
        reasons.remove(executor);
        reasons.put(executor, reason);
        if (reasons.size() > EXECUTORS_MAX) {
            reasons.remove(reasons.keySet().iterator().next());
        }
    }

    /**
     * Describes, as the end of a sentence, those losses among {@code lost} whose reason the cluster manager reported
     * later. Empty if there are none.
     */
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
