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

/** Awaits answers of other executors for one task, and turns failures into fetch failures. Stateless. */
record FetchAwait(ShuffleReadContext task, int shuffle) {
    TaskMemory memory() {
        return task.memory();
    }

    /** Waits for an answer about the output of a map task; a failure becomes a fetch failure. */
    <T> T answer(BlockServerAddress holder, int map, CompletionStage<T> answer) throws FetchFailedException {
        try {
            return awaitPlain(holder, answer);
        } catch (HearthException failure) {
            throw unreachable(holder, map, failure);
        }
    }

    /** Waits for an answer as {@link #answer} does, but throws the original failure. */
    <T> T awaitPlain(BlockServerAddress holder, CompletionStage<T> answer) {
        return task.await(answer, "executor " + holder.executor() + " on " + holder.host());
    }

    /**
     * Fetch failure for an unreachable executor; rethrows a failure that does not mean that the executor is
     * unreachable.
     */
    FetchFailedException unreachable(BlockServerAddress holder, int map, HearthException failure) {
        if (Failures.code(failure) == ErrorCode.APPLICATION_KILLED) {
            throw failure;
        }
        return new FetchFailedException(
                shuffle, map, List.of(), holder.executor().value(), holder.host(), Failures.describe(failure));
    }

    /** Fetch failure for outputs that an executor no longer has. */
    FetchFailedException missing(List<Integer> maps, String what) {
        return new FetchFailedException(
                shuffle,
                maps.get(0),
                maps.subList(1, maps.size()),
                "shuffle " + shuffle + ": the output of map task " + maps.get(0) + " " + what);
    }
}
