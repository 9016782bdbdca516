package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.rpc.internal.bulk.DirectoryContentStores;
import dev.hearth.rpc.internal.codec.WireRoundTrip;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.standalone.internal.contents.ContentLedger;
import dev.hearth.standalone.internal.contents.HeldContents;
import dev.hearth.standalone.internal.worker.ContentFetches;
import dev.hearth.standalone.internal.worker.DriverFiles;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of submissions while submitters, the master and the worker end at any moment. */
class UploadsTest {
    @TempDir
    private Path directory;

    @Test
    void aFileIsOnTheDisksOfMasterAndWorkerOnceHoweverManySubmitIt() {
        UploadCluster cluster = new UploadCluster(7, directory);
        for (int i = 0; i < 5; i++) {
            cluster.submit("request-" + i, 0);
        }
        cluster.run(Duration.ofSeconds(30));
        assertEquals(
                1, cluster.files("master").size(), () -> cluster.files("master").toString());
        assertEquals(
                1, cluster.files("work").size(), () -> cluster.files("work").toString());
        for (SubmissionStatus status : cluster.statuses().values()) {
            assertEquals(SubmissionState.FINISHED, status.state(), status::message);
        }
        assertEquals(List.of(), cluster.placed(), "the drivers have ended");
        cluster.run(UploadCluster.RETENTION.multipliedBy(2));
        assertEquals(List.of(), cluster.files("master"), "nobody uses it any more");
    }

    @Test
    void aFilePassedOnByAnotherProcessMovesOnce() {
        UploadCluster cluster = new UploadCluster(11, directory);
        RelayedUpload first = cluster.relay("relayed.jar", "serve");
        cluster.run(Duration.ofSeconds(10));
        assertTrue(first.isDone());
        assertEquals(66_000, first.bytesSent());
        RelayedUpload second = cluster.relay("relayed.jar", "other serve");
        cluster.run(Duration.ofSeconds(10));
        assertTrue(second.isDone());
        assertEquals(0, second.bytesSent());
        assertEquals(1, cluster.files("master").size());
        cluster.run(UploadCluster.RETENTION.multipliedBy(2));
        assertEquals(List.of(), cluster.files("master"), "no submission uses it");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aFilePassedOnByAnotherProcessArrivesWhateverEnds(long seed) {
        UploadCluster cluster = new UploadCluster(seed, directory);
        RelayedUpload upload = cluster.relay("relayed.jar", "serve");
        cluster.stormOver(upload);
        assertTrue(upload.isDone());
        assertTrue(cluster.isWithinBounds());
    }

    @Test
    void aFetchEndsWhenItIsCancelledOrTheMasterStaysAwayAndPlacesNothing() {
        Simulation simulation = new Simulation(5, new WireRoundTrip()::copy);
        SimulatedProcess worker = simulation.process("worker");
        EventLoop disk = worker.loop("worker-files");
        HeldContents held = new HeldContents(
                new DirectoryContentStores(),
                directory.resolve("work"),
                new ContentLedger("x.max", 1_000, Duration.ZERO),
                disk.ticker());
        ContentFetches fetches = new ContentFetches(worker.env().streams(), held, disk);
        DriverFiles.Fetch cancelled = fetches.fetch(request("driver-1"));
        DriverFiles.Fetch waiting = fetches.fetch(request("driver-2"));
        simulation.schedule(Duration.ofMillis(100), cancelled::cancel);
        simulation.runFor(Duration.ofSeconds(1));
        assertEquals("TRANSFER_ABORTED", code(cancelled));
        simulation.runFor(Duration.ofMinutes(2));
        assertEquals("PEER_UNREACHABLE", code(waiting));
        assertTrue(Files.notExists(directory.resolve("work/driver-1")));
        assertTrue(Files.notExists(directory.resolve("work/driver-2")));
        assertEquals(0, held.bytesHeld());
    }

    private DriverFiles.Request request(String driver) {
        ContentAddress jar = new ContentAddress(new ContentId("ab".repeat(32)), 7, "a.jar");
        return new DriverFiles.Request(
                driver,
                new RpcAddress("127.0.0.1", 7077),
                Set.of(jar),
                directory.resolve("work").resolve(driver),
                false);
    }

    private static String code(DriverFiles.Fetch fetch) {
        assertTrue(fetch.done().toCompletableFuture().isDone());
        return Failures.code(assertThrows(
                        CompletionException.class,
                        () -> fetch.done().toCompletableFuture().join()))
                .name();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 42, 1001})
    void everyDriverHasTheFileThatWasSubmitted(long seed) {
        UploadCluster cluster = new UploadCluster(seed, directory);
        cluster.storm(12);
        for (SubmissionStatus status : cluster.statuses().values()) {
            assertTrue(
                    status.state().isFinal(),
                    () -> "seed " + seed + ": " + status.submission() + " is " + status.state() + ", "
                            + status.message());
        }
        assertTrue(cluster.isWithinBounds(), () -> "seed " + seed);
        cluster.run(UploadCluster.RETENTION.multipliedBy(3));
        assertEquals(List.of(), cluster.files("master"), () -> "seed " + seed + ": left after the sweep");
        cluster.submit("last-1", 99);
        cluster.submit("last-2", 99);
        cluster.run(Duration.ofSeconds(30));
        assertTrue(cluster.started().contains("app 99.jar"), () -> "seed " + seed + ": " + cluster.started());
    }
}
