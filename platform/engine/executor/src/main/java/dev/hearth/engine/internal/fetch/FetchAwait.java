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

/**
 * Waits, for one reading task, for the answers of other executors about a shuffle, and converts failures to fetch
 * failures. Stateless.
 */
record FetchAwait(ShuffleReadContext task, int shuffle) {
    TaskMemory memory() {
        return task.memory();
    }

    /**
     * Waits for the answer of the executor {@code holder} about the output of the map task {@code map}. A failure is
     * converted to a fetch failure of that output.
     */
    <T> T answer(BlockServerAddress holder, int map, CompletionStage<T> answer) throws FetchFailedException {
        try {
            return awaitPlain(holder, answer);
        } catch (HearthException failure) {
            throw unreachable(holder, map, failure);
        }
    }

    /**
     * Waits for an answer of {@code holder} as {@link #answer} does, but throws the original failure instead of a fetch
     * failure.
     */
    <T> T awaitPlain(BlockServerAddress holder, CompletionStage<T> answer) {
        return task.await(answer, "executor " + holder.executor() + " on " + holder.host());
    }

    /**
     * Returns the fetch failure to throw because {@code holder} did not answer about the output of the map task {@code
     * map}. If {@code failure} says that the task was killed, rethrows it instead.
     */
    FetchFailedException unreachable(BlockServerAddress holder, int map, HearthException failure) {
        if (Failures.code(failure) == ErrorCode.APPLICATION_KILLED) {
            throw failure;
        }
        return new FetchFailedException(
                shuffle, map, List.of(), holder.executor().value(), holder.host(), Failures.describe(failure));
    }

    /**
     * Returns the fetch failure for the outputs of the map tasks {@code maps}, which an executor no longer has. {@code
     * what} ends its message.
     */
    FetchFailedException missing(List<Integer> maps, String what) {
        return new FetchFailedException(
                shuffle,
                maps.get(0),
                maps.subList(1, maps.size()),
                "shuffle " + shuffle + ": the output of map task " + maps.get(0) + " " + what);
    }
}
