package dev.hearth.yarn.internal.allocator;

import dev.hearth.yarn.internal.line.ContainerCapability;
import java.time.Duration;
import java.util.Map;

/**
 * Bound of open asks by the headroom that the ResourceManager reports. Beyond it a few asks stay open, so that preemption and
 * autoscaling see the need: one at first, twice as many each {@link #PATIENCE} without a grant. Cores do not count, because
 * most schedulers do not count them. A state machine without a clock.
 */
final class HeadroomBound {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int BEYOND_MAX = 1 << 20;

    private ContainerCapability headroom = ContainerCapability.NONE;
    private boolean known;
    private long usedMebibytes; // by the pools that were asked about in this round
    private int beyond = 1;
    private long sinceNanos;

    ContainerCapability headroom() {
        return headroom;
    }

    boolean isKnown() {
        return known;
    }

    void reported(ContainerCapability room, boolean pending, boolean granted, long now) {
        headroom = room;
        if (!known || granted || !pending) {
            beyond = 1;
            sinceNanos = now;
        } else if (now - sinceNanos >= PATIENCE.toNanos()) {
            beyond = Math.min(2 * beyond, BEYOND_MAX);
            sinceNanos = now;
        }
        known = true;
    }

    void beginRound() {
        usedMebibytes = 0;
    }

    /** Number of asks for {@code wanted} more containers of this size that may be open. */
    int admits(int wanted, ContainerCapability each) {
        if (!known) {
            return wanted;
        }
        long memory = Math.max(0, headroom.memoryMebibytes() - usedMebibytes) / Math.max(1, each.memoryMebibytes());
        for (Map.Entry<String, Long> resource : each.resources().entrySet()) {
            if (resource.getValue() > 0) {
                memory = Math.min(
                        memory, headroom.resources().getOrDefault(resource.getKey(), 0L) / resource.getValue());
            }
        }
        int admitted = (int) Math.min(wanted, Math.max(memory, beyond));
        usedMebibytes += admitted * each.memoryMebibytes();
        return admitted;
    }
}
