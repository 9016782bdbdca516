package dev.hearth.engine.internal.driver.serving;

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
 * Serialised stages for executors in other processes. Written by the threads that submit jobs, read by the driver's
 * loop; guarded by its own lock.
 * <p>Invariant: the serialised form of a plan exists until every job that contains the plan has ended and no stage runs
 * it. Jobs share stages, so a running stage may use a plan of a job that has ended already.
 */
public final class SerialisedStages {
    private final UserObjectSerializer objects;
    private final IdentityHashMap<StagePlan, Entry> stages =
            new IdentityHashMap<>(); // never iterated, as its order is not fixed
    private volatile int messageBytesMax = MessageBounds.NONE; // until executors in other processes are possible

    /** A serialised stage and the hash of its content. */
    public record SerialisedStage(TemplateId id, StageBody body) {}

    private static final class Entry {
        private final SerialisedStage written;
        private int uses = 1; // by jobs and by running stages

        Entry(SerialisedStage written) {
            this.written = written;
        }
    }

    public SerialisedStages(UserObjectSerializer objects) {
        this.objects = objects;
    }

    /** Sets the bound of messages to executors in other processes, which are possible from now on. */
    public void bound(int bytesMax) {
        messageBytesMax = bytesMax;
    }

    public int messageBytesMax() {
        return messageBytesMax;
    }

    /**
     * Serialises the stages of a job on the calling thread, if executors may run in other processes. If it fails, none
     * of the stages is added.
     */
    public void add(JobPlan plan) {
        if (messageBytesMax == MessageBounds.NONE) {
            return;
        }
        List<StagePlan> added = new ArrayList<>();
        try {
            for (StagePlan stage : plan.stages()) {
                if (!hold(stage)) {
                    put(stage, serialised(stage));
                }
                added.add(stage);
            }
        } catch (Throwable refused) { // an Error too: the job is not submitted, so its end will not release these
            added.forEach(this::release);
            throw refused;
        }
    }

    private SerialisedStage serialised(StagePlan stage) {
        StageBody body = StageMessages.body(stage, objects);
        Optional<HearthException> refusal = StageMessages.tooLarge(body, messageBytesMax);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        return new SerialisedStage(StageMessages.id(body), body);
    }

    private void put(StagePlan stage, SerialisedStage written) {
        synchronized (stages) {
            if (!hold(stage)) { // else another thread has added it meanwhile
                stages.put(stage, new Entry(written));
            }
        }
    }

    /** Releases the stages of a job that has ended. */
    public void remove(JobPlan plan) {
        plan.stages().forEach(this::release);
    }

    /** Adds a use of a serialised stage. False if the stage has not been added or has no use any more. */
    public boolean hold(StagePlan stage) {
        synchronized (stages) {
            Entry entry = stages.get(stage);
            if (entry != null) {
                entry.uses++;
            }
            return entry != null;
        }
    }

    /** Ends a use of a stage, whose serialised form is removed with the last use. */
    public void release(StagePlan stage) {
        synchronized (stages) {
            Entry entry = stages.get(stage);
            if (entry != null && --entry.uses == 0) {
                stages.remove(stage);
            }
        }
    }

    /** The serialised form of a stage; empty if it is not in use. */
    public Optional<SerialisedStage> find(StagePlan stage) {
        synchronized (stages) {
            return Optional.ofNullable(stages.get(stage)).map(entry -> entry.written);
        }
    }

    public UserObjectSerializer objects() {
        return objects;
    }
}
