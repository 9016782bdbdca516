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

/** How one task waits for holders of a shuffle, and what it means when they do not answer. No state of its own. */
record FetchAwait(ShuffleReadContext task, int shuffle) {
    TaskMemory memory() {
        return task.memory();
    }

    /** Waits for an answer about the output of a map task. */
    <T> T answer(BlockServerAddress holder, int map, CompletionStage<T> answer) throws FetchFailedException {
        try {
            return plain(holder, answer);
        } catch (HearthException failure) {
            throw unreachable(holder, map, failure);
        }
    }

    /** As the other one; what it failed with is thrown as it is. */
    <T> T plain(BlockServerAddress holder, CompletionStage<T> answer) {
        return task.await(answer, "executor " + holder.executor() + " on " + holder.host());
    }

    /** What to tell when a holder does not answer; what says nothing of it is thrown. */
    FetchFailedException unreachable(BlockServerAddress holder, int map, HearthException failure) {
        if (Failures.code(failure) == ErrorCode.APPLICATION_KILLED) {
            throw failure;
        }
        return new FetchFailedException(
                shuffle, map, List.of(), holder.executor().value(), holder.host(), Failures.describe(failure));
    }

    /** What to tell when a holder is there and the outputs of these map tasks are not. */
    FetchFailedException missing(List<Integer> maps, String what) {
        return new FetchFailedException(
                shuffle,
                maps.get(0),
                maps.subList(1, maps.size()),
                "shuffle " + shuffle + ": the output of map task " + maps.get(0) + " " + what);
    }
}
