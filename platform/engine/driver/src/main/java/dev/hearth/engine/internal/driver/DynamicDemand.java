package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.allocation.AllocationDecision;
import dev.hearth.engine.internal.allocation.AllocationSettings;
import dev.hearth.engine.internal.allocation.ExecutorAllocation;
import dev.hearth.engine.internal.allocation.ExecutorData;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell around {@link ExecutorAllocation}: looks at what there is to do when that may have changed, now and then while it
 * changes all the time, and performs what follows. Owned by the driver's loop; not made without dynamic allocation.
 */
final class DynamicDemand implements ExecutorDemand {
    private static final Logger LOG = LoggerFactory.getLogger(DynamicDemand.class);
    /** How old what it knows may be while everything changes. */
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(100);

    private final EventLoop loop;
    private final ExecutorAllocation allocation;
    private final Workload workload;
    private final BlockLocationRegistry kept;
    private final ExecutorFleet fleet;
    private boolean soon; // the next look is no farther than the interval
    private boolean looked;
    private long lookedNanos;
    private EventLoop.@Nullable Timeout next;

    DynamicDemand(
            EventLoop loop,
            AllocationSettings settings,
            Workload workload,
            BlockLocationRegistry kept,
            ExecutorFleet fleet) {
        this.loop = loop;
        this.allocation = new ExecutorAllocation(settings);
        this.workload = workload;
        this.fleet = fleet;
        this.kept = kept;
    }

    @Override
    public Demand demand() {
        return Demand.of(allocation.wanted());
    }

    @Override
    public void settled() {
        if (!soon) {
            soon = true;
            long since = looked ? loop.ticker().nanos() - lookedNanos : LOOK_INTERVAL.toNanos();
            lookAfter(Duration.ofNanos(Math.max(0, LOOK_INTERVAL.toNanos() - since)));
        }
    }

    private void lookAfter(Duration delay) {
        if (next != null) {
            next.cancel();
        }
        next = loop.schedule(delay, this::look);
    }

    private void look() {
        soon = false;
        looked = true;
        next = null;
        long now = loop.ticker().nanos();
        lookedNanos = now;
        int before = allocation.wanted();
        AllocationDecision decision =
                allocation.decide(workload.load(), workload.executors(), new Places(workload, kept), now);
        decision.wakeNanos().ifPresent(wake -> lookAfter(Duration.ofNanos(Math.max(0, wake - now))));
        if (decision.wanted() != before) {
            LOG.info("{} executors are wanted in all, {} were", decision.wanted(), before);
            fleet.want();
        }
        if (!decision.leaving().isEmpty()) {
            fleet.release(decision.leaving(), "it had nothing to do");
        }
    }

    /** What lies where, for one look. */
    private static final class Places implements ExecutorData {
        private final Workload workload;
        private final BlockLocationRegistry kept;
        private @Nullable Set<String> keepers; // found once, when the first idle executor is looked at

        Places(Workload workload, BlockLocationRegistry kept) {
            this.workload = workload;
            this.kept = kept;
        }

        @Override
        public boolean keepsBlocks(ExecutorId executor) {
            Set<String> found = keepers;
            if (found == null) {
                found = kept.keepers();
                keepers = found;
            }
            return found.contains(executor.value());
        }

        @Override
        public ShuffleUse shuffles(ExecutorId executor) {
            return workload.shuffles(executor);
        }
    }
}
