package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.allocation.AllocationDecision;
import dev.hearth.engine.internal.allocation.AllocationSettings;
import dev.hearth.engine.internal.allocation.ExecutorAllocation;
import dev.hearth.engine.internal.allocation.ExecutorData;
import dev.hearth.engine.internal.driver.blocks.BlockLocationRegistry;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests and releases executors as dynamic allocation decides. When the load may have changed, it requests a new
 * decision from {@link ExecutorAllocation}, at most once per interval, and executes it. Owned by the driver's event
 * loop. Created only if dynamic allocation is enabled.
 */
public final class DynamicDemand implements ExecutorDemand {
    private static final Logger LOG = LoggerFactory.getLogger(DynamicDemand.class);
    /** Minimum time between two decisions of dynamic allocation. */
    private static final Duration DECISION_INTERVAL = Duration.ofMillis(100);
    /** Time in which several steps down are logged as one. */
    private static final Duration LOG_INTERVAL = Duration.ofSeconds(1);

    private final EventLoop loop;
    private final Function<ProfileId, AllocationSettings> settings;
    private final Map<ProfileId, ExecutorAllocation> allocations = new LinkedHashMap<>();
    private final Workload workload;
    private final BlockLocationRegistry cachedBlocks;
    private final ExecutorFleet fleet;
    private boolean scheduled; // a decision is already scheduled
    private boolean decided;
    private long decidedNanos;
    private int loggedWanted = -1; // demand before the steps down that are not logged yet; below 0: there are none
    private EventLoop.@Nullable Timeout next;

    /** {@code settings} are those for executors of a profile, which differ in the number of tasks that each runs at a time. */
    public DynamicDemand(
            EventLoop loop,
            Function<ProfileId, AllocationSettings> settings,
            Workload workload,
            BlockLocationRegistry cachedBlocks,
            ExecutorFleet fleet) {
        this.loop = loop;
        this.settings = settings;
        allocation(ProfileId.DEFAULT);
        this.workload = workload;
        this.fleet = fleet;
        this.cachedBlocks = cachedBlocks;
    }

    @Override
    public Map<ProfileId, Demand> demands() {
        Map<ProfileId, Demand> demands = new LinkedHashMap<>();
        allocations.forEach((profile, allocation) -> demands.put(profile, Demand.of(allocation.wanted())));
        return demands;
    }

    /** Dynamic allocation of a profile: each has numbers, bounds and idle executors of its own, as in Spark. */
    private ExecutorAllocation allocation(ProfileId profile) {
        return allocations.computeIfAbsent(profile, added -> new ExecutorAllocation(settings.apply(added)));
    }

    @Override
    public void settled() {
        if (!scheduled) {
            scheduled = true;
            long since = decided ? loop.ticker().nanos() - decidedNanos : DECISION_INTERVAL.toNanos();
            decideAfter(Duration.ofNanos(Math.max(0, DECISION_INTERVAL.toNanos() - since)));
        }
    }

    private void decideAfter(Duration delay) {
        if (next != null) {
            next.cancel();
        }
        next = loop.schedule(delay, this::decide);
    }

    private void decide() {
        scheduled = false;
        decided = true;
        next = null;
        long now = loop.ticker().nanos();
        decidedNanos = now;
        int before = wanted();
        int profiles = allocations.size();
        boolean changed = false;
        long wake = Long.MAX_VALUE; // nanoseconds from now
        Set<ExecutorId> released = new LinkedHashSet<>();
        Data data = new Data(workload, cachedBlocks);
        for (ProfileId profile : workload.profiles()) {
            ExecutorAllocation allocation = allocation(profile);
            int wanted = allocation.wanted();
            AllocationDecision decision =
                    allocation.decide(workload.load(profile), workload.executors(profile), data, now);
            changed |= decision.wanted() != wanted;
            released.addAll(decision.released());
            if (decision.wakeNanos().isPresent()) {
                wake = Math.min(wake, Math.max(0, decision.wakeNanos().getAsLong() - now));
            }
        }
        if (wake < Long.MAX_VALUE) {
            decideAfter(Duration.ofNanos(wake));
        }
        if (changed || allocations.size() > profiles) {
            log(before, wanted());
            fleet.want();
        }
        if (!released.isEmpty()) {
            fleet.release(released, "the executor was idle");
        }
    }

    private int wanted() {
        return allocations.values().stream()
                .mapToInt(ExecutorAllocation::wanted)
                .sum();
    }

    /** Logs each step up at once. Steps down come for one executor after the other: they are summed up in one line a second. */
    private void log(int before, int wanted) {
        if (wanted > before) {
            logChange(before, wanted);
        } else if (wanted < before && loggedWanted < 0) {
            loggedWanted = before;
            loop.schedule(LOG_INTERVAL, () -> {
                int from = loggedWanted;
                loggedWanted = -1;
                if (wanted() < from) {
                    logChange(from, wanted());
                }
            });
        }
    }

    private static void logChange(int before, int wanted) {
        LOG.info("dynamic allocation: {} wanted, {} before", Quantity.of(wanted, "executor"), before);
    }

    /**
     * Answers whether executors store cached blocks or needed map outputs, during one decision of dynamic allocation.
     * The set of executors with cached blocks is read at most once.
     */
    private static final class Data implements ExecutorData {
        private final Workload workload;
        private final BlockLocationRegistry cachedBlocks;
        private @Nullable Set<String> holders; // ids of executors with cached blocks, read lazily

        Data(Workload workload, BlockLocationRegistry cachedBlocks) {
            this.workload = workload;
            this.cachedBlocks = cachedBlocks;
        }

        @Override
        public boolean holdsBlocks(ExecutorId executor) {
            Set<String> found = holders;
            if (found == null) {
                found = cachedBlocks.holders();
                holders = found;
            }
            return found.contains(executor.value());
        }

        @Override
        public ShuffleUse shuffles(ExecutorId executor) {
            return workload.shuffles(executor);
        }
    }
}
