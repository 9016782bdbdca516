package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.engine.internal.task.TaskValue;
import dev.hearth.spi.error.ErrorCode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The broadcast values that tasks of one executor have asked for, read once each from what the driver sent. Any thread may
 * call; a value is read by the first task that wants it, and others wait for that one.
 */
public final class BroadcastValues {
    private final UserObjects objects;
    private final Map<Long, Object> values = new ConcurrentHashMap<>();

    public BroadcastValues(UserObjects objects) {
        this.objects = objects;
    }

    /** Drops a value that was destroyed. */
    public void drop(long id) {
        values.remove(id);
    }

    Object value(long id, TaskAttempt attempt) {
        Object known = values.get(id);
        if (known != null) {
            return known;
        }
        String subject = "broadcast " + id;
        TaskValue sent = attempt.await(attempt.services.driver().broadcast(id), subject);
        if (sent instanceof TaskValue.Encoded encoded) {
            return values.computeIfAbsent(id, missing -> objects.read(encoded.bytes(), subject));
        }
        Object shared = ((TaskValue.Shared) sent).value();
        if (shared == null) {
            throw ErrorCode.INTERNAL.failure(subject + ": no value came (expected: the value, or why there is none)");
        }
        return shared;
    }
}
