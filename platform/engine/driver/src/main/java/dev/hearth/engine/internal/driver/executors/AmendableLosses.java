package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.id.ExecutorId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lost executors whose reason a later report of the cluster manager may replace: those that the driver itself did not
 * stop. Retains the newest {@link #LOSSES_MAX}. Owned by the driver's event loop.
 */
final class AmendableLosses {
    static final int LOSSES_MAX = 1_000;

    private final Map<ExecutorId, String> reasons = new LinkedHashMap<>();

    void lost(ExecutorId executor, LostExecutor why) {
        if (isOpenToReports(why.cause())) {
            reasons.put(executor, why.toString());
            if (reasons.size() > LOSSES_MAX) {
                reasons.remove(reasons.keySet().iterator().next());
            }
        }
    }

    /**
     * Replaces the recorded reason for the loss of {@code executor}. Returns false if none is recorded, if the report
     * {@code later} only confirms that the executor was released, or if the reason is the same.
     */
    boolean amend(ExecutorId executor, LostExecutor later) {
        String reason = later.toString();
        boolean amends = later.cause() != Cause.RELEASED
                && reasons.containsKey(executor)
                && !reason.equals(reasons.get(executor));
        if (amends) {
            reasons.put(executor, reason);
        }
        return amends;
    }

    private static boolean isOpenToReports(Cause cause) {
        return switch (cause) {
            case FAILED, HOST_LOST, PREEMPTED, UNREACHABLE, SILENT, OUT_OF_MEMORY -> true;
            case RELEASED, EXCLUDED, DECOMMISSIONED, REFUSED, NEVER_CAME -> false;
        };
    }
}
