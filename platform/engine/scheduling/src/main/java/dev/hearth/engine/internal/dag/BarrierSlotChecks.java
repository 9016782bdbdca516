package dev.hearth.engine.internal.dag;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.spi.error.ErrorCode;
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
 * Jobs with a barrier stage that needs more slots than there are: they have not begun and look again after a while, at once
 * when there are more. Owned by {@link DagScheduler}.
 */
final class BarrierSlotChecks {
    private final DagSettings settings;
    private final IntPredicate made; // whether a shuffle has all its outputs
    private final Map<Integer, Waiting> waiting = new LinkedHashMap<>();
    private int slots;

    BarrierSlotChecks(DagSettings settings, IntPredicate made) {
        this.settings = settings;
        this.made = made;
    }

    private static final class Waiting {
        private final JobSpec job;
        private int failures;
        private long nextNanos;

        Waiting(JobSpec job) {
            this.job = job;
        }
    }

    void slots(int concurrentTasks) {
        slots = concurrentTasks;
    }

    /** Whether the job can begin; if not it waits here. */
    boolean admits(JobSpec job, Moment now) {
        if (wanting(job) == null) {
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

    /** The slots that the widest stage wants that keeps a job from beginning; 0 when none does. */
    int slotsWanted() {
        return waiting.values().stream()
                .map(entry -> wanting(entry.job))
                .mapToInt(stage -> stage == null ? 0 : stage.partitions())
                .max()
                .orElse(0);
    }

    /** Takes out the jobs that can begin now. */
    List<JobSpec> admitted() {
        return take(entry -> wanting(entry.job) == null);
    }

    /** Takes out the jobs that somebody does not want any more. */
    List<JobSpec> take(List<JobSpec> chosen) {
        return take(entry -> chosen.contains(entry.job));
    }

    List<JobSpec> jobs() {
        return waiting.values().stream().map(entry -> entry.job).toList();
    }

    /** Takes out the jobs that have looked in vain too often. */
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
        StagePlan stage = Optional.ofNullable(wanting(job)).orElse(job.plan().result());
        return ErrorCode.TOO_FEW_SLOTS.failure("job " + job.id() + ": its barrier stage '" + stage.name() + "' needs "
                + stage.partitions() + " slots at the same time and there were " + slots + " for "
                + settings.slotCheckFailuresMax() + " x "
                + settings.slotCheckInterval().toSeconds()
                + "s (expected: as many slots as it has partitions); give it fewer partitions or the application more"
                + " cores");
    }

    private @Nullable StagePlan wanting(JobSpec job) {
        for (StagePlan stage : job.plan().stages()) {
            boolean done = !stage.isResult() && made.test(stage.shuffle());
            if (stage.barrier() && stage.partitions() > slots && !done) {
                return stage;
            }
        }
        return null;
    }

    private List<JobSpec> take(Predicate<Waiting> chosen) {
        List<JobSpec> taken = new ArrayList<>();
        waiting.values().removeIf(entry -> {
            boolean leaves = chosen.test(entry);
            if (leaves) {
                taken.add(entry.job);
            }
            return leaves;
        });
        return taken;
    }
}
