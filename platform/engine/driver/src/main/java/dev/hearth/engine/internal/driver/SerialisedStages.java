package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.JobPlan;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.StageBody;
import dev.hearth.engine.internal.protocol.MessageBounds;
import dev.hearth.engine.internal.protocol.StageMessages;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Stages in the form that travels to executors in other processes. Written by the threads that ask for jobs, read by the driver's
 * loop; guarded by its own lock.
 * <p>Invariant: the form of a plan is here while a job that brought it has not ended, or a stage runs by it: jobs share stages, and
 * one goes on by the plan of a job that has ended for as long as another needs it.
 */
final class SerialisedStages {
    private final UserObjectSerializer objects;
    private final IdentityHashMap<StagePlan, Entry> stages = new IdentityHashMap<>(); // asked for, never gone through
    private volatile int messageBytesMax = MessageBounds.NONE; // until executors in other processes can come

    /** A stage and the hash of its content. */
    record SerialisedStage(TemplateId id, StageBody body) {}

    private static final class Entry {
        private final SerialisedStage written;
        private int uses = 1; // jobs, and stages of the scheduler

        Entry(SerialisedStage written) {
            this.written = written;
        }
    }

    SerialisedStages(UserObjectSerializer objects) {
        this.objects = objects;
    }

    /** From now on executors may be in other processes. */
    void bound(int bytesMax) {
        messageBytesMax = bytesMax;
    }

    int messageBytesMax() {
        return messageBytesMax;
    }

    /** Writes the stages of a job, where that may be needed; on the thread that asks. Fails when they cannot travel, and keeps none. */
    void add(JobPlan plan) {
        if (messageBytesMax == MessageBounds.NONE) {
            return;
        }
        List<StagePlan> added = new ArrayList<>();
        try {
            for (StagePlan stage : plan.stages()) {
                if (!hold(stage)) {
                    put(stage, written(stage));
                }
                added.add(stage);
            }
        } catch (Throwable refused) { // an Error too: whoever asked hears of it, and the job never ends here
            added.forEach(this::release);
            throw refused;
        }
    }

    private SerialisedStage written(StagePlan stage) {
        StageBody body = StageMessages.body(stage, objects);
        Optional<HearthException> refusal = StageMessages.tooLarge(body, messageBytesMax);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        return new SerialisedStage(StageMessages.id(body), body);
    }

    private void put(StagePlan stage, SerialisedStage written) {
        synchronized (stages) {
            if (!hold(stage)) { // else another thread asked for the same at the same time
                stages.put(stage, new Entry(written));
            }
        }
    }

    /** The job has ended. */
    void remove(JobPlan plan) {
        plan.stages().forEach(this::release);
    }

    /** Keeps the form of a stage for one more use; false when it is not here. */
    boolean hold(StagePlan stage) {
        synchronized (stages) {
            Entry entry = stages.get(stage);
            if (entry != null) {
                entry.uses++;
            }
            return entry != null;
        }
    }

    /** One use of a stage is over. */
    void release(StagePlan stage) {
        synchronized (stages) {
            Entry entry = stages.get(stage);
            if (entry != null && --entry.uses == 0) {
                stages.remove(stage);
            }
        }
    }

    /** The form of a stage that is in use. */
    Optional<SerialisedStage> find(StagePlan stage) {
        synchronized (stages) {
            return Optional.ofNullable(stages.get(stage)).map(entry -> entry.written);
        }
    }

    UserObjectSerializer objects() {
        return objects;
    }
}
