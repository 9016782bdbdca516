package dev.hearth.engine.internal.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.executor.DataPlane;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastFile;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks of a broadcast value that is destroyed while they arrive. */
class BroadcastPiecesTest {
    private static final long HEAP_BYTES = 1L << 30;
    private static final int CHUNK_BYTES = 1_000;
    private static final Duration BOUND = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    @Test
    void leavesNoFileOfAChunkThatArrivesAfterTheValueWasDestroyed() throws Exception {
        Simulation simulation = new Simulation(1);
        RpcEnv serving = simulation.process("driver").env("driver", 1);
        Path value = Files.write(directory.resolve("value"), new byte[2 * CHUNK_BYTES]);
        serving.streams()
                .serve(
                        BlockProtocol.BROADCASTS,
                        name -> Optional.of(new StreamContent.FilePart(value, 0, CHUNK_BYTES, "tag")));
        SimulatedProcess taking = simulation.process("taker");
        RpcEnv reading = taking.env("taker", 2);
        Settings settings = Settings.empty()
                .with("test", "hearth.local.dir", directory.resolve("taker").toString());
        ProcessMemory memory = new ProcessMemory(HEAP_BYTES);
        UserObjectSerializer objects = new UserObjectSerializer(BroadcastPiecesTest.class.getClassLoader());
        DataPlane here = new DataPlane(
                objects, settings, () -> memory, taking.loop("taker").ticker(), false);
        RemoteShuffleReader network = new RemoteShuffleReader(
                new ExecutorId("taker"), "taker", "taker", settings, reading, taking.loop("loop"), here::shuffles);
        BroadcastPieces copy = new BroadcastPieces(
                1,
                new BroadcastFile(value.toString(), 2 * CHUNK_BYTES, CHUNK_BYTES, 0, List.of()),
                network,
                here.files(),
                new BlockServerAddress(new ExecutorId("driver"), "driver", "driver:1"));
        ShuffleReadContext task = new ShuffleReadContext() {
            @Override
            public TaskMemory memory() {
                throw new AssertionError("no memory is needed");
            }

            @Override
            public <T> T await(CompletionStage<T> answer, String subject) {
                simulation.runFor(BOUND);
                copy.close();
                return answer.toCompletableFuture().join();
            }
        };
        HearthException destroyed = assertThrows(HearthException.class, () -> copy.fetch(task));
        assertEquals(ErrorCode.CONTEXT_CLOSED.name(), destroyed.code());
        assertEquals(0, here.files().bytes());
        here.close();
    }
}
