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
 * How many executors a load deserves, and which have had nothing to do for too long. A state machine: what is there and the time
 * come as arguments, what is wanted goes out as a {@link AllocationDecision}. STARTING with the first number until anything is to be done
 * or an executor was idle too long, FOLLOWING the load ever after.
 * <p>Invariants: min <= wanted <= max; wanted grows by 1, 2, 4, ... while tasks wait, and at once for barrier stages; none that is
 * busy or protected leaves, nor so many that fewer stay than are wanted.
 */
public final class ExecutorAllocation {
    /** How long an executor that something keeps from leaving is not looked at again. */
    private static final long PROTECTED_NANOS = Duration.ofSeconds(1).toNanos();

    private final AllocationSettings settings;
    private final Map<ExecutorId, Long> protectedUntil = new LinkedHashMap<>();
    private final Set<ExecutorId> leaving = new LinkedHashSet<>();
    private boolean following;
    private int wanted;
    private int step = 1;
    private boolean backlogged;
    private long addNanos; // while backlogged

    public ExecutorAllocation(AllocationSettings settings) {
        this.settings = settings;
        this.wanted = settings.executorsFirst();
    }

    public int wanted() {
        return wanted;
    }

    /** What follows from what is there now; executors that were told to leave are asked for once. */
    public AllocationDecision decide(
            SchedulerLoad load, List<ExecutorActivity> executors, ExecutorData holdings, long nowNanos) {
        Set<ExecutorId> there = new LinkedHashSet<>();
        executors.forEach(seen -> there.add(seen.executor()));
        leaving.retainAll(there);
        protectedUntil.keySet().retainAll(there);
        following |= load.tasks() > 0 || load.gang() > 0;
        if (following) {
            follow(load, executors, nowNanos);
        }
        Leavers leavers = new Leavers(holdings, nowNanos);
        executors.forEach(leavers::look);
        if (leavers.anyExpired && !following) {
            following = true;
            follow(load, executors, nowNanos);
        }
        Set<ExecutorId> chosen = leavers.choose(executors.size() - leaving.size());
        OptionalLong wake = leavers.wakeNanos;
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
            add(needed, executors.size() - leaving.size());
            backlogged = wanted < needed;
            addNanos = now + settings.sustainedBacklog().toNanos();
        }
    }

    /** From what is there, as more may have come than were wanted. */
    private void add(int needed, int there) {
        int from = Math.max(wanted, Math.min(there, needed));
        int room = needed - from;
        wanted = from + Math.min(step, room);
        step = step < room ? step * 2 : 1;
    }

    private int needed(SchedulerLoad load, int slots) {
        long needed = ceiling(Math.ceil(load.tasks() * settings.ratio()), slots);
        if (load.copies() > 0 && needed <= 1) {
            needed++; // a copy runs on another executor than what it copies
        }
        return clamped(Math.max(needed, ceiling(load.gang(), slots)));
    }

    private static long ceiling(double tasks, int slots) {
        return (long) Math.ceil(tasks / slots);
    }

    private int clamped(long executors) {
        return (int) Math.max(settings.executorsMin(), Math.min(settings.executorsMax(), executors));
    }

    /** Tasks that an executor runs at the same time: as set, else as the smallest that is there. */
    private int slots(Collection<ExecutorActivity> executors) {
        return settings.executorCores()
                .orElseGet(() -> executors.stream()
                        .mapToInt(ExecutorActivity::cores)
                        .min()
                        .orElse(1));
    }

    /** Finds who may leave, longest idle first. Made for one decision. */
    private final class Leavers {
        private final ExecutorData holdings;
        private final long now;
        private final Map<ExecutorId, Long> expired = new LinkedHashMap<>(); // with how long each has been idle
        private boolean anyExpired;
        private OptionalLong wakeNanos = OptionalLong.empty();

        Leavers(ExecutorData holdings, long now) {
            this.holdings = holdings;
            this.now = now;
        }

        void look(ExecutorActivity seen) {
            if (leaving.contains(seen.executor())) {
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
                lookCloser(seen);
            }
        }

        private void lookCloser(ExecutorActivity seen) {
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
            boolean keeps = holdings.keepsBlocks(executor);
            if (shuffles == ShuffleUse.NEEDED
                    || (shuffles == ShuffleUse.READABLE
                            && settings.shuffleIdle().isEmpty())
                    || (keeps && settings.cachedIdle().isEmpty())) {
                return OptionalLong.empty();
            }
            long bound = settings.idle().toNanos();
            if (shuffles == ShuffleUse.READABLE) {
                bound = Math.max(bound, settings.shuffleIdle().orElseThrow().toNanos());
            }
            if (keeps) {
                bound = Math.max(bound, settings.cachedIdle().orElseThrow().toNanos());
            }
            return OptionalLong.of(bound);
        }

        /** Of those who may leave as many as are not wanted, out of {@code staying}. */
        Set<ExecutorId> choose(int staying) {
            List<ExecutorId> chosen = expired.entrySet().stream()
                    .sorted(Map.Entry.<ExecutorId, Long>comparingByValue().reversed())
                    .limit(Math.max(0, staying - wanted))
                    .map(Map.Entry::getKey)
                    .toList();
            leaving.addAll(chosen);
            return new LinkedHashSet<>(chosen);
        }

        private void wake(long at) {
            wakeNanos =
                    OptionalLong.of(wakeNanos.isEmpty() || at - wakeNanos.getAsLong() < 0 ? at : wakeNanos.getAsLong());
        }
    }
}
