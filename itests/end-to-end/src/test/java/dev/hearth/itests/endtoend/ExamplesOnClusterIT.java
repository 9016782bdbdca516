package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the examples on executors in separate processes: results equal those of one process to the last digit. */
@Timeout(120)
class ExamplesOnClusterIT {
    private static final String LOCAL = "local[2]";
    private static final String CLUSTER = "local-cluster[2,1,512]";

    @TempDir
    static Path scratch;

    private static Installation installation;

    private final Random random = new Random(11);

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.in(scratch);
    }

    @ParameterizedTest
    @ValueSource(strings = {"WordCount %s", "PageRank %s 5", "TransitiveClosure %s", "LogQuery %s"})
    void givesTheSameOfTexts(String example) throws Exception {
        List<String> lines = IntStream.range(0, 400)
                .mapToObj(i -> "n" + random.nextInt(80) + " n" + random.nextInt(80))
                .toList();
        assertSame(example.formatted(file(lines)).split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"KMeans %s 3", "LogisticRegression %s 10"})
    void givesTheSameOfNumbers(String example) throws Exception {
        List<String> rows = IntStream.range(0, 300)
                .mapToObj(i -> (i % 2 * 2 - 1) + " " + random.nextGaussian() + " " + random.nextGaussian())
                .toList();
        assertSame(example.formatted(file(rows)).split(" "));
    }

    @Test
    void givesTheSameByChance() throws Exception {
        assertSame("Pi", "12");
    }

    @Test
    void sortsTheSame() throws Exception {
        List<String> sums = new ArrayList<>();
        for (String master : List.of(LOCAL, CLUSTER)) {
            Path made = Files.createTempDirectory(scratch, "tera").resolve("made");
            Path sorted = made.resolveSibling("sorted");
            sums.add(output(master, "TeraGenerate", made.toString(), "20000", "3"));
            sums.add(output(master, "TeraSort", made.toString(), sorted.toString(), "4"));
            sums.add(output(master, "TeraValidate", sorted.toString(), "20000"));
        }
        assertEquals(1, sums.stream().distinct().count(), sums::toString);
    }

    private static void assertSame(String... arguments) throws Exception {
        assertEquals(output(LOCAL, arguments), output(CLUSTER, arguments));
    }

    private static String output(String master, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("--master", master, "--conf", "hearth.localCluster.dir=" + scratch.resolve("work")));
        command.addAll(List.of(arguments));
        try (Launched example = installation.example(command.toArray(String[]::new))) {
            assertEquals(0, example.status(), example::errors);
            return example.output();
        }
    }

    /** A directory without a blank in its name. */
    private static String file(List<String> lines) throws IOException {
        return Files.write(Files.createTempFile(scratch, "input", ".txt"), lines)
                .toString();
    }
}
