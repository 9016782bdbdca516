package dev.hearth.engine.internal.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.ReceivedFile;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A download from an executor that is unreachable at first. */
class FileDownloadTest {
    private static final Duration BOUND = Duration.ofHours(1);

    /** File double that records whether it was ended. */
    private static final class Draft implements ReceivedFile {
        private boolean abandoned;

        @Override
        public void write(byte[] bytes, int length) {}

        @Override
        public PartitionedFile part(FileSegment original) {
            throw new AssertionError("not whole");
        }

        @Override
        public PartitionedFile whole() {
            throw new AssertionError("not whole");
        }

        @Override
        public void abandon() {
            abandoned = true;
        }
    }

    @Test
    void deletesTheFilesOfADownloadThatFails() {
        Simulation simulation = new Simulation(1);
        SimulatedProcess taking = simulation.process("taker");
        FetchClient holders =
                new FetchClient(taking.env("taker", 2), Optional.empty(), taking.loop("loop"), FetchWorld.SETTINGS);
        BlockServerAddress unreachable = new BlockServerAddress(new ExecutorId("giver"), "giver", "giver:1");
        List<Draft> drafts = new ArrayList<>();
        CompletableFuture<ReceivedFile> download = new FileDownload(holders, unreachable, "some/1", 10, () -> {
                    Draft draft = new Draft();
                    drafts.add(draft);
                    return draft;
                })
                .start();
        simulation.runFor(BOUND);
        assertTrue(download.isCompletedExceptionally());
        assertEquals(1 + FetchWorld.SETTINGS.retries(), drafts.size());
        assertTrue(drafts.stream().allMatch(draft -> draft.abandoned));
    }

    @Test
    void deletesTheFileOfARetryThatRacesWithACancel() {
        Simulation simulation = new Simulation(1);
        SimulatedProcess taking = simulation.process("taker");
        FetchClient holders =
                new FetchClient(taking.env("taker", 2), Optional.empty(), taking.loop("loop"), FetchWorld.SETTINGS);
        BlockServerAddress nobody = new BlockServerAddress(new ExecutorId("giver"), "giver", "giver:1");
        List<Draft> drafts = new ArrayList<>();
        List<CompletableFuture<ReceivedFile>> waiters = new ArrayList<>();
        FileDownload reception = new FileDownload(holders, nobody, "some/1", 10, () -> {
            waiters.forEach(waiter -> waiter.completeExceptionally(ErrorCode.TRANSFER_ABORTED.failure("left")));
            Draft draft = new Draft();
            drafts.add(draft);
            return draft;
        });
        waiters.add(reception.start());
        simulation.runFor(BOUND);
        assertEquals(2, drafts.size(), "it was tried once more");
        assertTrue(drafts.stream().allMatch(draft -> draft.abandoned));
    }
}
