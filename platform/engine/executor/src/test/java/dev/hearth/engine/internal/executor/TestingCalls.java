package dev.hearth.engine.internal.executor;

import dev.hearth.api.task.BarrierTaskContext;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.spi.error.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Driver that answers at once: first attempts may commit, barriers have one task, broadcasts are those the test has
 * set.
 */
final class TestingCalls implements DriverCalls, BroadcastValues {
    final Map<Long, Object> broadcasts = new ConcurrentHashMap<>();
    volatile boolean silent; // leaves questions about commits unanswered

    @Override
    public CompletionStage<Boolean> mayCommit(int stage, int stageAttempt, int partition, int attempt) {
        return silent ? new CompletableFuture<>() : CompletableFuture.completedStage(attempt == 0);
    }

    @Override
    public CompletionStage<List<String>> barrier(BarrierArrival meeting) {
        return CompletableFuture.completedStage(List.of(meeting.message() + meeting.round()));
    }

    @Override
    public CompletionStage<List<BarrierTaskContext.Address>> addresses(int stage, int stageAttempt) {
        return CompletableFuture.completedStage(List.of(new BarrierTaskContext.Address("host", "0")));
    }

    @Override
    public Object value(long id, ShuffleReadContext task) {
        Object value = broadcasts.get(id);
        if (value == null) {
            throw ErrorCode.CONTEXT_CLOSED.failure("broadcast " + id + ": is not here");
        }
        return value;
    }
}
