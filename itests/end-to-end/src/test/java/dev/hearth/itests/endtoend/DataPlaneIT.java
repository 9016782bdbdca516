package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs programs whose data exceeds their memory, on a plain class path and by bin/submit. The programs check their
 * results.
 */
@Timeout(180)
class DataPlaneIT {
    private static final String MAIN = "user.ByKey";
    private static final Pattern CODEC = Pattern.compile(" user\\.Kinds\\$(\\w+)\\$RecordCodec");
    /**
     * Packages that a program which counts numbers must not load, except for two names that its own classes refer to.
     */
    private static final Pattern DATA_PLANE = Pattern.compile(
            "dev\\.hearth\\.engine\\.internal\\.(aggregate|column|compress|disk|filecodec|io|memory|serializer"
                    + "|shuffle|sort|storage)\\.(?!ProcessMemory |BlockListener |ApplicationDirectories )\\S+");

    @TempDir
    static Path scratch;

    private static Programs programs;

    @BeforeAll
    static void compile() throws IOException {
        programs = Programs.compile(Installation.in(scratch).home(), scratch);
    }

    @ParameterizedTest
    @CsvSource({"EMBEDDED, snappy, Snappy", "SUBMIT, zstd, Zstd", "SUBMIT, lz4, Lz4"})
    void computesByKeyMoreThanItMayHold(Way way, String codec, String library) throws Exception {
        Path local = Files.createTempDirectory(scratch, "local");
        Path loaded = scratch.resolve("loaded-" + way + "-" + codec);
        String output = run(
                way,
                List.of("-Xlog:class+load:file=" + loaded),
                "operations",
                "hearth.memory.total=4m",
                "hearth.io.compression.codec=" + codec,
                "hearth.local.dir=" + local);
        assertEquals("right, spilled\ncodecs beside our classes " + (way == Way.SUBMIT) + "\n", output);
        assertEquals(List.of(), files(local));
        String classes = Files.readString(loaded);
        assertEquals(
                List.of("Parcel", "Place", "Task"),
                CODEC.matcher(classes)
                        .results()
                        .map(found -> found.group(1))
                        .sorted()
                        .toList());
        for (String half : List.of("Compressor ", "Decompressor ")) {
            assertTrue(classes.contains(library + half), () -> half + "of " + library);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"snappy", "zstd", "lz4"})
    void computesByKeyMoreThanItsExecutorsMayHold(String codec) throws Exception {
        Path local = Files.createTempDirectory(scratch, "local");
        String output = run(
                Way.CLUSTER,
                List.of(),
                "operations",
                "hearth.memory.total=1m", // per process, which runs one task at a time
                "hearth.io.compression.codec=" + codec,
                "hearth.local.dir=" + local);
        assertTrue(output.startsWith("right, spilled\n"), output);
        assertEquals(List.of(), files(local));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void writesAndReadsFilesOfEveryCodec(Way way) throws Exception {
        Path local = Files.createTempDirectory(scratch, "local");
        Path output = Files.createTempDirectory(scratch, "output");
        assertEquals(
                "PATH_EXISTS\nright\n",
                run(way, List.of(), "files", output.toString(), "hearth.memory.total=2m", "hearth.local.dir=" + local));
        assertEquals(List.of(), files(local));
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, mode = EnumSource.Mode.EXCLUDE, names = "CLUSTER")
    void givesEachContextItsOwnBudget(Way way) throws Exception {
        Path local = Files.createTempDirectory(scratch, "local");
        assertEquals("small spilled, large held\n", run(way, List.of(), "two", "hearth.local.dir=" + local));
        assertEquals(List.of(), files(local));
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, mode = EnumSource.Mode.EXCLUDE, names = "CLUSTER")
    void removesTheFilesOfAContextThatIsClosedWhileItsTasksSpill(Way way) throws Exception {
        Path local = Files.createTempDirectory(scratch, "local");
        try (Gate gate = new Gate();
                Launched launched = Launched.start(
                        scratch,
                        way.command(
                                programs,
                                MAIN,
                                List.of(
                                        "closed",
                                        String.valueOf(gate.port()),
                                        "hearth.memory.total=1m",
                                        "hearth.local.dir=" + local)))) {
            Gate.Visitor driver = gate.next();
            Gate.Visitor task = gate.next();
            if (task.who().equals("driver")) {
                Gate.Visitor first = driver;
                driver = task;
                task = first;
            }
            assertFalse(files(local).isEmpty(), "nothing was spilled");
            driver.pass(); // the task continues
            Gate.Visitor closed = gate.next();
            while (closed.who().equals("task")) {
                closed = gate.next();
            }
            assertEquals(List.of(), files(local));
            gate.open();
            closed.pass();
            assertEquals(0, launched.status(), launched::errors);
            assertEquals("CONTEXT_CLOSED\nright\n", launched.output());
        }
        assertEquals(List.of(), files(local));
    }

    @Test
    void loadsNothingOfItForAProgramThatOnlyCounts() throws Exception {
        for (Way way : Way.LOCAL) {
            Path loaded = scratch.resolve("loaded-by-squares-" + way);
            List<String> command =
                    way.command(programs, List.of("-Xlog:class+load:file=" + loaded), "user.Squares", List.of());
            try (Launched launched = Launched.start(scratch, command)) {
                assertEquals(0, launched.status(), launched::errors);
            }
            String classes = Files.readString(loaded);
            assertTrue(classes.contains(" dev.hearth.engine.internal.driver.loop.Driver "), way.name());
            assertEquals(
                    List.of(),
                    DATA_PLANE
                            .matcher(classes)
                            .results()
                            .map(found -> found.group())
                            .toList(),
                    way.name());
        }
    }

    private static String run(Way way, List<String> javaOptions, String... arguments) throws Exception {
        try (Launched launched =
                Launched.start(scratch, way.command(programs, javaOptions, MAIN, List.of(arguments)))) {
            assertEquals(0, launched.status(), launched::errors);
            return launched.output();
        }
    }

    /** All paths below the directory, without it. */
    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return new ArrayList<>(all.filter(path -> !path.equals(directory)).toList());
        }
    }
}
