package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the operations that {@link OperationsIT} leaves out, in one process and on separate executors: both print the
 * same lines.
 */
@Timeout(240)
class AllOperationsIT {
    private static final int LINES_MIN = 60;
    private static final long SEED =
            Long.getLong("hearth.operations.seed", ThreadLocalRandom.current().nextLong(Integer.MAX_VALUE));
    private static final String REPLAY = "replay with mvn verify -pl itests/end-to-end -am"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false -Dtest=None"
            + " -Dit.test=AllOperationsIT -Dhearth.operations.seed=" + SEED;

    /**
     * Log lines that no fault of the application causes: piped processes, and executors that start or end as it ends.
     */
    private static final Pattern COMPLAINT = Pattern.compile("error: |process reaper|refused");

    @TempDir
    Path scratch;

    @Test
    void givesTheSameOnACluster() throws Exception {
        System.out.println(REPLAY);
        Installation installation = Installation.in(scratch);
        List<String> alone = lines(installation, "local[2]", "alone", List.of());
        assertTrue(alone.size() >= LINES_MIN, alone::toString);
        assertEquals("methods of the context not called: []", alone.get(alone.size() - 1));
        String work = "hearth.localCluster.dir=" + scratch.resolve("work");
        assertEquals(alone, lines(installation, "local-cluster[2,1,512]", "cluster", List.of("--conf", work)), REPLAY);
        List<String> sockets = List.of("--conf", work, "--conf", "hearth.shuffle.readHostLocalDisk=false");
        assertEquals(alone, lines(installation, "local-cluster[2,1,512]", "sockets", sockets), REPLAY);
        assertEquals(List.of(), executorErrors());
    }

    /** The warnings and errors that executors logged; none are expected, though the driver ends the executors. */
    private List<String> executorErrors() throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.walk(scratch.resolve("work"))) {
            for (Path log : files.filter(file -> file.endsWith("stderr")).toList()) {
                lines.addAll(Files.readAllLines(log));
            }
        }
        return lines;
    }

    private List<String> lines(Installation installation, String master, String name, List<String> more)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--master", master));
        arguments.addAll(more);
        arguments.addAll(List.of(
                "--class",
                "dev.hearth.itests.endtoend.app.AllOperations",
                installation.applications().toString(),
                Files.createDirectory(scratch.resolve(name)).toString(),
                String.valueOf(SEED)));
        try (Launched submit = installation.compute(arguments.toArray(String[]::new))) {
            assertEquals(0, submit.status(), () -> REPLAY + submit.errors());
            assertFalse(COMPLAINT.matcher(submit.errors()).find(), submit::errors);
            return submit.output().lines().toList();
        }
    }
}
