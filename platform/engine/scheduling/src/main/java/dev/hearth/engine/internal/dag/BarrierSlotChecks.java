package dev.hearth.engine.internal.dag;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Delays jobs whose barrier stages have more tasks than the executors have slots. A slot runs one task, and the tasks
 * of a barrier stage must start together. The check is repeated at an interval and whenever the number of slots
 * changes. Owned by {@link DagScheduler}.
 */
final class BarrierSlotChecks {
    private final DagSettings settings;
    private final IntPredicate complete; // whether all outputs of a shuffle are registered
    private final Map<Integer, Waiting> waiting = new LinkedHashMap<>();
    private final Map<Integer, Integer> slots = new LinkedHashMap<>(); // by profile

    BarrierSlotChecks(DagSettings settings, IntPredicate complete) {
        this.settings = settings;
        this.complete = complete;
    }

    private static final class Waiting {
        private final JobSpec job;
        private int failures;
        private long nextNanos;

        Waiting(JobSpec job) {
            this.job = job;
        }
    }

    void slots(int profile, int concurrentTasks) {
        slots.put(profile, concurrentTasks);
    }

    /**
     * Whether there are enough slots to start {@code job} now. If not, this method adds the job to the waiting jobs.
     */
    boolean admits(JobSpec job, Moment now) {
        if (blockingStage(job) == null) {
            return true;
        }
        Waiting added = new Waiting(job);
        waiting.put(job.id(), added);
        added.nextNanos = now.nanos() + settings.slotCheckInterval().toNanos();
        added.failures = 1;
        return false;
    }

    boolean isWaiting(int job) {
        return waiting.containsKey(job);
    }

    boolean needs(int shuffle) {
        return waiting.values().stream()
                .flatMap(entry -> entry.job.plan().stages().stream())
                .anyMatch(stage -> stage.shuffle() == shuffle);
    }

    /** The total number of slots on executors of {@code profile} that the largest waiting job needs, or 0 if none waits. */
    int slotsWanted(int profile) {
        return waiting.values().stream()
                .map(entry -> blockingStage(entry.job))
                .mapToInt(stage -> stage == null || stage.profile().executors() != profile ? 0 : stage.partitions())
                .max()
                .orElse(0);
    }

    /** Removes and returns the waiting jobs for which there are now enough slots. */
    List<JobSpec> admitted() {
        return take(entry -> blockingStage(entry.job) == null);
    }

    /**
     * Removes those of the {@code chosen} jobs that wait for slots from the waiting jobs. Returns the removed jobs, so
     * that the caller can cancel them.
     */
    List<JobSpec> take(List<JobSpec> chosen) {
        return take(entry -> chosen.contains(entry.job));
    }

    List<JobSpec> jobs() {
        return waiting.values().stream().map(entry -> entry.job).toList();
    }

    /**
     * Repeats the slot checks that are due. Removes and returns the waiting jobs for which too many checks have now
     * failed.
     */
    List<JobSpec> expired(Moment now) {
        return take(entry -> {
            if (now.nanos() - entry.nextNanos < 0) {
                return false;
            }
            entry.nextNanos = now.nanos() + settings.slotCheckInterval().toNanos();
            return ++entry.failures > settings.slotCheckFailuresMax();
        });
    }

    OptionalLong nextNanos() {
        return waiting.values().stream().mapToLong(entry -> entry.nextNanos).reduce((a, b) -> a - b < 0 ? a : b);
    }

    HearthException failure(JobSpec job) {
        StagePlan stage =
                Optional.ofNullable(blockingStage(job)).orElse(job.plan().result());
        return ErrorCode.TOO_FEW_SLOTS.failure("job " + job.id() + ": its barrier stage '" + stage.name() + "' needs "
                + Quantity.of(stage.partitions(), "slot") + " at the same time, but there were only " + slotsOf(stage)
                + " in "
                + Quantity.of(settings.slotCheckFailuresMax(), "check") + ", one each "
                + settings.slotCheckInterval().toSeconds()
                + " s (expected: as many slots as it has partitions); give it fewer partitions or the application more"
                + " cores");
    }

    private @Nullable StagePlan blockingStage(JobSpec job) {
        for (StagePlan stage : job.plan().stages()) {
            boolean done = !stage.isResult() && complete.test(stage.shuffle());
            if (stage.barrier() && stage.partitions() > slotsOf(stage) && !done) {
                return stage;
            }
        }
        return null;
    }

    private int slotsOf(StagePlan stage) {
        return slots.getOrDefault(stage.profile().id(), 0);
    }

    private List<JobSpec> take(Predicate<Waiting> chosen) {
        List<JobSpec> taken = new ArrayList<>();
        waiting.values().removeIf(entry -> {
            boolean matches = chosen.test(entry);
            if (matches) {
                taken.add(entry.job);
            }
            return matches;
        });
        return taken;
    }
}
