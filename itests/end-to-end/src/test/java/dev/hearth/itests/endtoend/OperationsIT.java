package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the engine's property tests of operations on executors in separate processes with little memory. The test
 * sources are the same, packed as an application with their libraries. Each run has a new seed unless {@code
 * hearth.operations.seed} names one; a failure prints the seed.
 */
@Timeout(3_600)
class OperationsIT {
    private static final String ENGINE =
            "platform/engine/driver/src/test/java/dev/hearth/engine/internal/driver/session/";
    private static final String PACKAGE = "dev.hearth.engine.internal.driver.session"; // not part of the application
    private static final int TRIES = Integer.getInteger("hearth.operations.tries", 12);
    private static final long SEED =
            Long.getLong("hearth.operations.seed", ThreadLocalRandom.current().nextLong(Integer.MAX_VALUE));
    private static final int SECONDS_PER_TRY_MAX = 10; // for all properties of a class

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static String libraries;
    private static Path jar;

    @BeforeAll
    static void compile() throws IOException {
        installation = Installation.in(scratch);
        Path tree = Path.of(Objects.requireNonNull(System.getProperty("hearth.tree")));
        Path sources = Files.createDirectories(scratch.resolve("sources"));
        for (String name : List.of(
                "RandomDataset",
                "RandomKind",
                "RandomSeed",
                "NarrowOperationsTest",
                "MixedOperationsTest",
                "KeyedOperationsTest",
                "ActionsTest",
                "PersistedOperationsTest")) {
            String source = Files.readString(tree.resolve(ENGINE + name + ".java"));
            Files.writeString(sources.resolve(name + ".java"), source.replace(PACKAGE, "operations"));
        }
        try (Stream<Path> own = Files.list(tree.resolve("itests/end-to-end/src/test/operations/operations"))) {
            for (Path source : own.toList()) {
                Files.copy(source, sources.resolve(source.getFileName()));
            }
        }
        Path properties = Path.of(Objects.requireNonNull(System.getProperty("hearth.property.jars")));
        try (Stream<Path> files = Files.list(properties)) {
            libraries = files.map(Path::toString).sorted().collect(Collectors.joining(File.pathSeparator))
                    + File.pathSeparator
                    + Programs.junit();
        }
        jar = scratch.resolve("operations.jar");
        Programs.compile(sources, Programs.embedded() + File.pathSeparator + libraries, scratch, jar);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NarrowOperationsTest",
                "MixedOperationsTest",
                "KeyedOperationsTest",
                "ActionsTest",
                "PersistedOperationsTest"
            })
    void areAsThoseOfCollections(String properties) throws Exception {
        try (Launched submit = installation.compute(
                "--master",
                "local-cluster[2,1,512]",
                "--conf",
                "hearth.localCluster.dir=" + scratch.resolve("work"),
                "--conf",
                "hearth.memory.total=1m",
                "--jars",
                libraries.replace(File.pathSeparator, ","),
                "--class",
                "operations.RunsOperations",
                jar.toString(),
                properties,
                String.valueOf(TRIES),
                String.valueOf(SEED),
                Files.createTempDirectory(scratch, "files").toString())) {
            assertEquals(0, submit.status(SECONDS_PER_TRY_MAX * TRIES), () -> submit.output() + submit.errors());
            String last =
                    submit.output().lines().reduce((first, second) -> second).orElse("");
            assertTrue(last.matches("[1-9]\\d* hold, 0 do not hold"), () -> submit.output() + submit.errors());
        }
    }
}
