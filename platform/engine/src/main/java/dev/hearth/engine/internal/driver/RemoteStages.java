package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.plan.JobPlan;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.StageBody;
import dev.hearth.engine.internal.protocol.MessageBounds;
import dev.hearth.engine.internal.protocol.StageMessages;
import dev.hearth.engine.internal.serial.UserObjects;
import java.util.IdentityHashMap;
import java.util.Optional;

/**
 * The stages of jobs under way, in the form that travels to executors in other processes. Written by the threads that ask for
 * jobs, read by the driver's loop; guarded by its own lock.
 */
final class RemoteStages {
    private final UserObjects objects;
    private final IdentityHashMap<StagePlan, Written> stages = new IdentityHashMap<>(); // asked for, never gone through
    private volatile int messageBytesMax = MessageBounds.NONE; // until executors in other processes can come

    /** A stage and the hash of its content. */
    record Written(TemplateId id, StageBody body) {}

    RemoteStages(UserObjects objects) {
        this.objects = objects;
    }

    /** From now on executors may be in other processes. */
    void bound(int bytesMax) {
        messageBytesMax = bytesMax;
    }

    int messageBytesMax() {
        return messageBytesMax;
    }

    /** Writes the stages of a job, where that may be needed; on the thread that asks. Fails when they cannot travel. */
    void add(JobPlan plan) {
        if (messageBytesMax == MessageBounds.NONE) {
            return;
        }
        for (StagePlan stage : plan.stages()) {
            StageBody body = StageMessages.body(stage, objects);
            refuse(StageMessages.tooLarge(body, messageBytesMax));
            Written written = new Written(StageMessages.id(body), body);
            synchronized (stages) {
                stages.put(stage, written);
            }
        }
    }

    /** The job has ended. */
    void remove(JobPlan plan) {
        synchronized (stages) {
            plan.stages().forEach(stages::remove);
        }
    }

    /** The form of a stage that was added and not removed. */
    Optional<Written> find(StagePlan stage) {
        synchronized (stages) {
            return Optional.ofNullable(stages.get(stage));
        }
    }

    UserObjects objects() {
        return objects;
    }

    private static void refuse(Optional<HearthException> reason) {
        if (reason.isPresent()) {
            throw reason.get();
        }
    }
}
