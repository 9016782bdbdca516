package dev.hearth.engine.internal.allocation;

import dev.hearth.engine.internal.allocation.ExecutorData.ShuffleUse;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Dynamic allocation: decides how many executors the load needs, and which idle executors to release. A state machine:
 * the load and the time are arguments, and the result is an {@link AllocationDecision}. It requests the initial number
 * of executors until there is work or an executor is idle too long. After that, the number follows from the load.
 * <p>Invariants: the requested number ({@code wanted}) is between the minimum and the maximum. It grows by 1, 2, 4, ...
 * while tasks wait, and in one step for barrier stages. An executor is never released while it is busy or its data is
 * needed, or if fewer than {@code wanted} executors would remain.
 */
public final class ExecutorAllocation {
    /**
     * Time after which an idle executor is checked again, if it was not released because its cached blocks or map
     * outputs are needed.
     */
    private static final long PROTECTED_NANOS = Duration.ofSeconds(1).toNanos();

    private final AllocationSettings settings;
    private final Map<ExecutorId, Long> protectedUntil = new LinkedHashMap<>();
    private final Set<ExecutorId> released = new LinkedHashSet<>();
    private boolean following;
    private int wanted;
    private int step = 1;
    private boolean backlogged;
    private long addNanos; // the time at which executors are added next; only valid while backlogged

    public ExecutorAllocation(AllocationSettings settings) {
        this.settings = settings;
        this.wanted = settings.executorsFirst();
    }

    public int wanted() {
        return wanted;
    }

    /**
     * Decides how many executors to request and which to release. An executor that an earlier decision released is not
     * released again.
     */
    public AllocationDecision decide(
            SchedulerLoad load, List<ExecutorActivity> executors, ExecutorData holdings, long nowNanos) {
        Set<ExecutorId> live = new LinkedHashSet<>();
        executors.forEach(seen -> live.add(seen.executor()));
        released.retainAll(live);
        protectedUntil.keySet().retainAll(live);
        following |= load.tasks() > 0 || load.gang() > 0;
        if (following) {
            follow(load, executors, nowNanos);
        }
        IdleExecutors idle = new IdleExecutors(holdings, nowNanos);
        executors.forEach(idle::check);
        if (idle.anyExpired && !following) {
            following = true;
            follow(load, executors, nowNanos);
        }
        Set<ExecutorId> chosen = idle.choose(executors.size() - released.size());
        OptionalLong wake = idle.wakeNanos;
        if (backlogged) {
            wake = OptionalLong.of(wake.isEmpty() || addNanos - wake.getAsLong() < 0 ? addNanos : wake.getAsLong());
        }
        return new AllocationDecision(wanted, chosen, wake);
    }

    private void follow(SchedulerLoad load, List<ExecutorActivity> executors, long now) {
        int slots = slots(executors);
        int needed = needed(load, slots);
        int together = clamped(ceiling(load.gang(), slots));
        if (needed < wanted) {
            wanted = needed;
            step = 1;
        }
        wanted = Math.max(wanted, together);
        if (wanted >= needed || !load.isBacklogged()) {
            backlogged = false;
            step = 1;
        } else if (!backlogged) {
            backlogged = true;
            addNanos = now + settings.backlog().toNanos();
        } else if (now - addNanos >= 0) {
            add(needed, executors.size() - released.size());
            backlogged = wanted < needed;
            addNanos = now + settings.sustainedBacklog().toNanos();
        }
    }

    /**
     * Raises the requested number of executors by {@code step}, up to {@code needed}. Doubles the step for the next
     * call, or resets it to 1 once {@code needed} is reached. Starts from the number of {@code present} executors if
     * that is larger than the requested number.
     */
    private void add(int needed, int present) {
        int from = Math.max(wanted, Math.min(present, needed));
        int room = needed - from;
        wanted = from + Math.min(step, room);
        step = step < room ? step * 2 : 1;
    }

    private int needed(SchedulerLoad load, int slots) {
        long needed = ceiling(Math.ceil(load.tasks() * settings.ratio()), slots);
        if (load.copies() > 0 && needed <= 1) {
            needed++; // a speculative copy must not run on the same executor as its original
        }
        return clamped(Math.max(needed, ceiling(load.gang(), slots)));
    }

    private static long ceiling(double tasks, int slots) {
        return (long) Math.ceil(tasks / slots);
    }

    private int clamped(long executors) {
        return (int) Math.max(settings.executorsMin(), Math.min(settings.executorsMax(), executors));
    }

    /**
     * The number of tasks that an executor runs at the same time, by the configured number of its cores. Without that
     * setting, it is that of the smallest executor that can run any task.
     */
    private int slots(Collection<ExecutorActivity> executors) {
        return settings.executorSlots()
                .orElseGet(() -> executors.stream()
                        .mapToInt(ExecutorActivity::slots)
                        .filter(slots -> slots > 0)
                        .min()
                        .orElse(1));
    }

    /**
     * Finds the idle executors to release in one decision of dynamic allocation, longest idle first. Each decision
     * creates a new instance.
     */
    private final class IdleExecutors {
        private final ExecutorData holdings;
        private final long now;
        // executors idle for too long, with their idle times
        private final Map<ExecutorId, Long> expired = new LinkedHashMap<>();
        private boolean anyExpired;
        private OptionalLong wakeNanos = OptionalLong.empty();

        IdleExecutors(ExecutorData holdings, long now) {
            this.holdings = holdings;
            this.now = now;
        }

        void check(ExecutorActivity seen) {
            if (released.contains(seen.executor())) {
                return;
            }
            if (seen.busy()) {
                protectedUntil.remove(seen.executor());
                return;
            }
            long end = seen.quietNanos() + settings.idle().toNanos();
            Long until = protectedUntil.get(seen.executor());
            if (now - end < 0) {
                wake(end);
            } else if (until != null && now - until < 0) {
                wake(until);
            } else {
                anyExpired = true;
                checkData(seen);
            }
        }

        private void checkData(ExecutorActivity seen) {
            OptionalLong bound = idleNanosMax(seen.executor());
            long idle = now - seen.quietNanos();
            if (bound.isPresent() && idle >= bound.getAsLong()) {
                expired.put(seen.executor(), idle);
            } else {
                long again = now + PROTECTED_NANOS;
                protectedUntil.put(seen.executor(), again);
                wake(again);
            }
        }

        private OptionalLong idleNanosMax(ExecutorId executor) {
            ShuffleUse shuffles = settings.tracksShuffles() ? holdings.shuffles(executor) : ShuffleUse.NONE;
            boolean holdsBlocks = holdings.holdsBlocks(executor);
            if (shuffles == ShuffleUse.NEEDED
                    || (shuffles == ShuffleUse.READABLE
                            && settings.shuffleIdle().isEmpty())
                    || (holdsBlocks && settings.cachedIdle().isEmpty())) {
                return OptionalLong.empty();
            }
            long bound = settings.idle().toNanos();
            if (shuffles == ShuffleUse.READABLE) {
                bound = Math.max(bound, settings.shuffleIdle().orElseThrow().toNanos());
            }
            if (holdsBlocks) {
                bound = Math.max(bound, settings.cachedIdle().orElseThrow().toNanos());
            }
            return OptionalLong.of(bound);
        }

        /**
         * Chooses executors to release, but never so many that fewer than the requested number remain.
         * {@code remaining} is the number of registered executors that no earlier decision released.
         */
        Set<ExecutorId> choose(int remaining) {
            List<ExecutorId> chosen = expired.entrySet().stream()
                    .sorted(Map.Entry.<ExecutorId, Long>comparingByValue().reversed())
                    .limit(Math.max(0, remaining - wanted))
                    .map(Map.Entry::getKey)
                    .toList();
            released.addAll(chosen);
            return new LinkedHashSet<>(chosen);
        }

        private void wake(long at) {
            wakeNanos =
                    OptionalLong.of(wakeNanos.isEmpty() || at - wakeNanos.getAsLong() < 0 ? at : wakeNanos.getAsLong());
        }
    }
}
