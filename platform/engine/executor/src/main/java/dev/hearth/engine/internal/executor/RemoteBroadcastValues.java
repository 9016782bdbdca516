package dev.hearth.engine.internal.executor;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.fetch.RemoteBroadcasts;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastQuestion;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.EndpointRef;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Broadcast values from a driver in another process. The first task that needs a value reads it while others wait. If
 * that read fails, the waiting tasks fail too, and later tasks read again. If the reading task is killed, a waiting
 * task takes over. Any thread may call.
 */
final class RemoteBroadcastValues implements BroadcastValues {
    /**
     * Timeout of a request to the driver for a broadcast value. It is long, because the driver serialises the value
     * before it answers. If the driver is lost, the executor ends anyway.
     */
    private static final Duration ANSWER_TIMEOUT = Duration.ofHours(1);

    private final UserObjectSerializer objects;
    private final EndpointRef driver;
    private final ExecutorId self;
    private final RemoteBroadcasts files;
    // reads by broadcast id; failed reads are removed
    private final Map<Long, CompletableFuture<Object>> values = new ConcurrentHashMap<>();

    RemoteBroadcastValues(UserObjectSerializer objects, EndpointRef driver, ExecutorId self, RemoteBroadcasts files) {
        this.objects = objects;
        this.driver = driver;
        this.self = self;
        this.files = files;
    }

    /**
     * Outcome of one task's read of a broadcast value, for other tasks that wait for the same value: the value, or else
     * the failure.
     */
    private record Outcome(@Nullable Object value, @Nullable Throwable failure) {}

    @Override
    public Object value(long id, ShuffleReadContext task) {
        while (true) {
            CompletableFuture<Object> own = new CompletableFuture<>();
            CompletableFuture<Object> read = values.putIfAbsent(id, own);
            if (read == null) {
                return read(id, task, own);
            }
            if (read.isDone() && !read.isCompletedExceptionally()) {
                return read.join();
            }
            CompletionStage<Object> reading = read;
            Outcome outcome = task.await(reading.handle(Outcome::new), subject(id));
            Throwable failure = outcome.failure;
            if (outcome.value != null) {
                return outcome.value;
            }
            if (failure != null && !isEnding(failure)) {
                throw Failures.asHearth(failure, ErrorCode.INTERNAL, subject(id));
            }
        }
    }

    private static boolean isEnding(Throwable failure) {
        return failure instanceof TaskKilled || Failures.code(failure) == ErrorCode.APPLICATION_KILLED;
    }

    private Object read(long id, ShuffleReadContext task, CompletableFuture<Object> own) {
        try {
            Object value = read(id, task);
            own.complete(value);
            if (values.get(id) != own) { // the value was dropped during the read, perhaps before its file existed
                files.drop(id);
            }
            return value;
        } catch (Throwable failure) { // catches Errors too, because other tasks wait for the outcome
            if (!values.remove(id, own)) { // the value was dropped during the read, so no task will use its file
                files.drop(id);
            }
            own.completeExceptionally(failure);
            throw failure;
        }
    }

    private Object read(long id, ShuffleReadContext task) {
        BroadcastAnswer answer = ask(id, task);
        return answer.file()
                .map(file -> files.read(id, file, task, (in, bytes) -> objects.read(in, bytes, subject(id))))
                .orElseGet(() -> objects.read(answer.value(), subject(id)));
    }

    private BroadcastAnswer ask(long id, ShuffleReadContext task) {
        try {
            return task.await(
                    driver.ask(new BroadcastQuestion(self, id), BroadcastAnswer.class, ANSWER_TIMEOUT), subject(id));
        } catch (HearthException refused) {
            // a message does not carry the permanence of a failure: that of a destroyed value is permanent
            throw ErrorCode.CONTEXT_CLOSED.name().equals(refused.code()) ? refused.permanent() : refused;
        }
    }

    private static String subject(long id) {
        return "broadcast " + id;
    }

    /**
     * Removes the value with the id {@code id}, which the application has destroyed, and this executor's files of it.
     */
    void drop(long id) {
        values.remove(id);
        files.drop(id);
    }
}
