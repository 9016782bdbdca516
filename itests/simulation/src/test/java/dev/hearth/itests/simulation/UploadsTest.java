package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
        cluster.run(UploadCluster.RETENTION.multipliedBy(2));
        assertEquals(List.of(), cluster.files("master"), "nobody uses it any more");
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
