package dev.hearth.engine.internal.fetch;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Waits, on behalf of one task, for answers of other executors, and converts failures to fetch failures. Stateless. */
record FetchAwait(ShuffleReadContext task, int shuffle) {
    TaskMemory memory() {
        return task.memory();
    }

    /** Waits for an answer about the output of a map task. A failure is converted to a fetch failure. */
    <T> T answer(BlockServerAddress holder, int map, CompletionStage<T> answer) throws FetchFailedException {
        try {
            return awaitPlain(holder, answer);
        } catch (HearthException failure) {
            throw unreachable(holder, map, failure);
        }
    }

    /** Waits for an answer as {@link #answer} does, but throws the failure without converting it. */
    <T> T awaitPlain(BlockServerAddress holder, CompletionStage<T> answer) {
        return task.await(answer, "executor " + holder.executor() + " on " + holder.host());
    }

    /**
     * Returns the fetch failure for an executor that could not answer. Rethrows {@code failure} if a kill ended the
     * wait.
     */
    FetchFailedException unreachable(BlockServerAddress holder, int map, HearthException failure) {
        if (Failures.code(failure) == ErrorCode.APPLICATION_KILLED) {
            throw failure;
        }
        return new FetchFailedException(
                shuffle, map, List.of(), holder.executor().value(), holder.host(), Failures.describe(failure));
    }

    /** Returns the fetch failure for outputs that an executor no longer has. */
    FetchFailedException missing(List<Integer> maps, String what) {
        return new FetchFailedException(
                shuffle,
                maps.get(0),
                maps.subList(1, maps.size()),
                "shuffle " + shuffle + ": the output of map task " + maps.get(0) + " " + what);
    }
}
