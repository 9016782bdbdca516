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
 * Serialised stages for executors in other processes. Threads that submit jobs add them, and the driver's event loop
 * reads them; guarded by its own lock.
 * <p>Invariant: the serialised form of a plan exists until every job that contains the plan has ended and no stage runs
 * it. Jobs share stages, so a running stage may use a plan of a job that has already ended.
 */
public final class SerialisedStages {
    private final UserObjectSerializer objects;
    private final IdentityHashMap<StagePlan, Entry> stages =
            new IdentityHashMap<>(); // never iterated, because its order is not fixed
    private volatile int messageBytesMax = MessageBounds.NONE; // NONE while all executors run in this process

    /** The serialised form of one stage ({@code body}) and the hash of its content ({@code id}). */
    public record SerialisedStage(TemplateId id, StageBody body) {}

    private static final class Entry {
        private final SerialisedStage written;
        private int uses = 1; // number of jobs and running stages that use it

        Entry(SerialisedStage written) {
            this.written = written;
        }
    }

    public SerialisedStages(UserObjectSerializer objects) {
        this.objects = objects;
    }

    /**
     * Sets the maximum size, in bytes, of a message to an executor. Called as soon as executors may run in other
     * processes.
     */
    public void bound(int bytesMax) {
        messageBytesMax = bytesMax;
    }

    public int messageBytesMax() {
        return messageBytesMax;
    }

    /**
     * Serialises the stages of a job on the calling thread, if executors may run in other processes. If a stage cannot
     * be serialised, none is added.
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
        } catch (Throwable refused) { // catches Errors too: the job is not submitted, so its end cannot release these
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
            if (!hold(stage)) { // otherwise another thread has added it meanwhile
                stages.put(stage, new Entry(written));
            }
        }
    }

    /** Ends the uses of the stages of {@code plan}, because its job has ended. */
    public void remove(JobPlan plan) {
        plan.stages().forEach(this::release);
    }

    /**
     * Adds a use of a serialised stage, so that its serialised form is kept until {@link #release} ends this use.
     * Returns false if the stage was never added or is already removed.
     */
    public boolean hold(StagePlan stage) {
        synchronized (stages) {
            Entry entry = stages.get(stage);
            if (entry != null) {
                entry.uses++;
            }
            return entry != null;
        }
    }

    /** Ends a use of a stage. The serialised form of the stage is removed when its last use has ended. */
    public void release(StagePlan stage) {
        synchronized (stages) {
            Entry entry = stages.get(stage);
            if (entry != null && --entry.uses == 0) {
                stages.remove(stage);
            }
        }
    }

    /** The serialised form of a stage. Empty if nothing has added it, or if its last use has ended. */
    public Optional<SerialisedStage> find(StagePlan stage) {
        synchronized (stages) {
            return Optional.ofNullable(stages.get(stage)).map(entry -> entry.written);
        }
    }

    public UserObjectSerializer objects() {
        return objects;
    }
}
