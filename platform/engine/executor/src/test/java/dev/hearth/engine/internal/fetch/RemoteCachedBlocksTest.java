package dev.hearth.engine.internal.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.CachedBlock;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateCachedBlocks;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.spi.error.ErrorCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locations of cached blocks, as the driver sends them. */
class RemoteCachedBlocksTest {
    @TempDir
    private Path directory;

    /** Task that counts its waits, all of which fail. */
    private static final class Waiting implements ShuffleReadContext {
        private int waits;

        @Override
        public TaskMemory memory() {
            throw new AssertionError("no memory is needed");
        }

        @Override
        public <T> T await(CompletionStage<T> answer, String subject) {
            waits++;
            throw ErrorCode.PEER_LOST.failure(subject + ": lost");
        }
    }

    @Test
    void forgetsTheLocationsThatWereSentLongestAgo() throws Exception {
        try (FetchWorld world = new FetchWorld(1, directory, 1)) {
            world.executor("self");
            FetchWorld.Executor other = world.executor("a");
            other.write(1, 0, 1, 1);
            RemoteCachedBlocks remote = new RemoteCachedBlocks(
                    world.shuffles(FetchWorld.SETTINGS),
                    () -> {
                        throw new AssertionError("no block is written");
                    },
                    Runnable::run);
            define(remote, other.holder, 0, RemoteCachedBlocks.LOCATIONS_MAX);
            define(remote, other.holder, 0, 1); // sent again
            define(remote, other.holder, RemoteCachedBlocks.LOCATIONS_MAX, RemoteCachedBlocks.LOCATIONS_MAX + 1);
            assertEquals(1, executorsAsked(remote, 0), "sent last but one");
            assertEquals(0, executorsAsked(remote, 1), "sent longest ago");
            assertEquals(1, executorsAsked(remote, 2));
            remote.forget(1);
            assertEquals(0, executorsAsked(remote, 2), "the dataset is cached nowhere");
        }
    }

    private static void define(RemoteCachedBlocks remote, BlockServerAddress holder, int from, int until) {
        remote.define(new UpdateCachedBlocks(IntStream.range(from, until)
                .mapToObj(partition -> new CachedBlock(1, partition, List.of(holder)))
                .toList()));
    }

    private static int executorsAsked(RemoteCachedBlocks remote, int partition) {
        Waiting task = new Waiting();
        assertEquals(Optional.empty(), remote.read(new BlockId(1, partition), task, () -> {}));
        return task.waits;
    }
}
