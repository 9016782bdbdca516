package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Output of drivers and executors in the work directory of a real worker: its bounds, its readers and its end. */
@Timeout(240)
class OutputFilesIT {
    private static final long MEBIBYTE = 1024 * 1024;
    private static final String PRINTS = "dev.hearth.itests.endtoend.app.Prints";

    @TempDir
    Path scratch;

    private Installation installation;
    private Path work;

    @BeforeEach
    void unpack() throws IOException {
        installation = Installation.in(scratch);
        work = installation.scratch().resolve("work");
    }

    @Test
    void boundsTheOutputOfADriverAndHandsItsEndToTheSubmitter() throws Exception {
        try (Cluster cluster = Cluster.start(
                        installation,
                        "--conf",
                        "hearth.executor.logs.rolling.maxSize=10m",
                        "--conf",
                        "hearth.executor.logs.rolling.maxRetainedFiles=2");
                Launched submit = submit(cluster, PRINTS, "300")) {
            long peak = 0;
            while (!submit.hasEndedWithin(Duration.ofMillis(20))) {
                peak = Math.max(peak, sizeOfWork());
            }
            assertEquals(0, submit.status(), submit::errors);
            assertTrue(submit.output().endsWith("x\nlast line of 300\n"), () -> tail(submit.output()));
            assertTrue(peak > 10 * MEBIBYTE, "looked too seldom: " + peak);
            assertTrue(peak <= 31 * MEBIBYTE, "three files of stdout, and stderr: " + peak);
            List<String> files = names(onlyDriver());
            assertEquals(List.of("stderr", "stdout"), files.subList(1, 3), files::toString);
            assertEquals(5, files.size(), "two rolled-over files and the marker: " + files);
        }
    }

    @Test
    void keepsWorkDirectoriesFromOtherUsers() throws Exception {
        try (Cluster cluster = Cluster.start(installation);
                Launched submit = submit(cluster, "dev.hearth.examples.Pi", "4")) {
            assertEquals(0, submit.status(), submit::errors);
        }
        try (Stream<Path> all = Files.walk(work)) {
            List<Path> found = all.toList();
            assertTrue(found.stream().anyMatch(path -> path.toString().contains("app-")), found::toString);
            for (Path path : found) {
                String expected = Files.isDirectory(path) ? "rwx------" : "rw-------";
                assertEquals(
                        expected, PosixFilePermissions.toString(Files.getPosixFilePermissions(path)), path.toString());
            }
        }
    }

    @Test
    void removesDirectoriesOfEndedDriversButNotThatOfARunningOne() throws Exception {
        String[] cleanup = {
            "--conf", "hearth.worker.cleanup.interval=1s", "--conf", "hearth.worker.cleanup.appDataTtl=1s"
        };
        try (Gate gate = new Gate();
                Cluster cluster = Cluster.start(installation, cleanup)) {
            try (Launched submit = submit(cluster, PRINTS, "1")) {
                assertEquals(0, submit.status(), submit::errors);
            }
            try (Launched gated =
                    submit(cluster, "dev.hearth.itests.endtoend.app.GatedSum", String.valueOf(gate.port()), "1")) {
                Gate.Visitor driver = gate.next();
                Eventually.until(
                        "the ended driver's directory is removed",
                        () -> names(work).size() == 1,
                        Duration.ofMinutes(3),
                        () -> names(work).toString());
                assertTrue(Files.exists(work.resolve(names(work).get(0)).resolve("stdout")));
                driver.pass();
                gate.open();
                assertEquals(0, gated.status(), gated::errors);
            }
            assertFalse(cluster.worker().errors().contains("not cleaned up"), cluster.worker()::errors);
        }
    }

    private Launched submit(Cluster cluster, String main, String... arguments) throws IOException {
        Path jar = main.contains(".examples.") ? installation.examples() : installation.applications();
        return installation.submit(Stream.concat(
                        Stream.of(
                                "--master",
                                cluster.url(),
                                "--deploy-mode",
                                "cluster",
                                "--driver-memory",
                                "256m",
                                "--executor-memory",
                                "256m",
                                "--class",
                                main,
                                jar.toString()),
                        Stream.of(arguments))
                .toArray(String[]::new));
    }

    private Path onlyDriver() {
        return work.resolve(names(work).get(0));
    }

    private long sizeOfWork() {
        long size = 0;
        for (String driver : names(work)) {
            for (String file : names(work.resolve(driver))) {
                size += work.resolve(driver).resolve(file).toFile().length();
            }
        }
        return size;
    }

    private static List<String> names(Path directory) {
        String[] names = directory.toFile().list();
        return names == null
                ? List.of()
                : Stream.of(names)
                        .filter(name -> !name.contains("contents")) // uploaded files, of one driver and of all
                        .sorted()
                        .toList();
    }

    private static String tail(String text) {
        return text.substring(Math.max(0, text.length() - 200));
    }
}
