package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Converts applications written for Spark with docs/migrate alone; they compile against the Hearth API and give the
 * right results.
 */
@Timeout(180)
class MigratingIT {
    private static final Path DOCS = Path.of(Objects.requireNonNull(System.getProperty("hearth.docs")));
    private static final Path PROGRAMS = Path.of(Objects.requireNonNull(System.getProperty("hearth.programs")))
            .resolveSibling("programs-of-spark");
    private static final Pattern SHOWN = Pattern.compile(
            "^### (\\w+)\\n.*?```java\\n(.*?)```.*?```java\\n(.*?)```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final int ROUNDS = 5;
    private static final int PAGES = 20;

    @TempDir
    Path scratch;

    @Test
    void ranksPages() throws Exception {
        Random chance = new Random(7);
        TreeMap<String, List<String>> links = new TreeMap<>();
        StringBuilder lines = new StringBuilder();
        for (int page = 0; page < PAGES; page++) {
            List<String> targets = chance.ints(0, PAGES)
                    .distinct()
                    .limit(1 + chance.nextInt(5))
                    .sorted()
                    .mapToObj(target -> "p" + target)
                    .toList();
            links.put("p" + page, targets);
            for (String target : targets) {
                lines.append("p").append(page).append(' ').append(target).append('\n');
            }
        }
        lines.append("p0 ").append(links.get("p0").get(0)).append('\n'); // duplicate links count once
        TreeMap<String, Double> ranks = new TreeMap<>();
        links.keySet().forEach(page -> ranks.put(page, 1.0));
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, Double> sums = new TreeMap<>();
            links.forEach((page, targets) -> {
                Double rank = ranks.get(page); // null if no page links there
                if (rank != null) {
                    targets.forEach(target -> sums.merge(target, rank / targets.size(), Double::sum));
                }
            });
            ranks.clear();
            sums.forEach((page, sum) -> ranks.put(page, 0.15 + sum * 0.85));
        }
        StringBuilder expected = new StringBuilder();
        ranks.forEach((page, rank) -> expected.append(String.format(Locale.ROOT, "%s %.6f\n", page, rank)));
        assertPrints(expected.toString(), "RankPages", lines.toString(), String.valueOf(ROUNDS));
    }

    @Test
    void asksLogs() throws Exception {
        assertPrints("""
                /: 3 requests, 3400 bytes
                /news: 1 requests, 500 bytes
                left out 2
                / Welcome 3
                /news untitled 1
                """, "AskLogs", """
                10.0.0.1 ann [10/Oct/2000] "GET /" 200 2326 "browser"
                10.0.0.2 - [10/Oct/2000] "GET /" 200 1000 "browser"

                10.0.0.1 ann [10/Oct/2000] "GET /" 200 74 "browser"
                10.0.0.3 - [10/Oct/2000] "GET /robots" 404 10 "crawler/1"
                not a line
                10.0.0.2 bob [10/Oct/2000] "GET /news" 200 500 "browser"
                """);
    }

    @Test
    void findsCenters() throws Exception {
        StringBuilder points = new StringBuilder("0 1\n10 11\n20 -4\n"); // the initial centres
        for (int[] center : new int[][] {{0, 0}, {10, 10}, {20, -5}}) {
            points.append(center[0] + 1).append(' ').append(center[1]).append('\n');
            points.append(center[0]).append(' ').append(center[1] - 1).append('\n');
            points.append(center[0] - 1).append(' ').append(center[1]).append('\n');
        }
        assertPrints("""
                center 0.000 0.000
                center 10.000 10.000
                center 20.000 -5.000
                cost 12.000 of 12
                true
                """, "FindCenters", points.toString(), "3");
    }

    @Test
    void tracksStatus() throws Exception {
        assertPrints("""
                5 tasks total: 0 complete, 0 failed
                1 job, by default of 2
                Job results are: [1, 2, 3, 4, 5]
                5 numbers up to 7.5, mean 4.5
                sum 22.5
                {0=6, 1=9}
                for north, [shown]
                """, "TrackStatus", "");
    }

    /**
     * Checks constructors, Boolean keys, partitioners, method references, task contexts, zipped partitions and binary
     * streams.
     */
    @Test
    void checksPairs() throws Exception {
        assertPrints("""
                {false=2, true=4} 3
                [8, 5]
                [0, 0, 1, 1, 1, 1]
                [3/3, 3/3]
                [3]
                """, "CheckPairs", "abc");
    }

    @Test
    void comesOutAsThePageShows() throws Exception {
        List<MatchResult> shown = SHOWN.matcher(Files.readString(DOCS.resolve("migrating.md")))
                .results()
                .toList();
        assertEquals(
                List.of("RankPages", "AskLogs", "FindCenters", "TrackStatus"),
                shown.stream().map(found -> found.group(1)).toList());
        for (MatchResult program : shown) {
            String name = program.group(1);
            assertTrue(
                    Files.readString(PROGRAMS.resolve(name + ".java")).contains(program.group(2)), name + ", before");
            assertTrue(moved(name).contains(program.group(3)), name + ", after");
        }
    }

    @Test
    void changesOnlyFilesThatMentionSpark() throws Exception {
        Path sources = Files.createDirectories(scratch.resolve("sources"));
        String foreign =
                "import java.util.Optional;\nclass Foreign { Optional<Iterable<String>> none = Optional.empty(); }\n";
        Path untouched = Files.writeString(sources.resolve("Foreign.java"), foreign);
        Path changed = Files.writeString(
                sources.resolve("Ours.java"),
                "import org.apache.spark.sql.Dataset;\nclass Ours { JavaRDD<Long> all; }\n");
        String output = migrate(sources);
        assertEquals(foreign, Files.readString(untouched));
        assertEquals("import dev.hearth.api.*;\nclass Ours { Rdd<Long> all; }\n", Files.readString(changed));
        assertEquals(changed + "\n", output);
    }

    @Test
    void refusesWhatIsNotThere() throws Exception {
        try (Launched migrate = Launched.start(
                scratch,
                List.of(
                        DOCS.resolve("migrate").toString(),
                        scratch.resolve("none").toString()))) {
            assertEquals(2, migrate.status());
            assertTrue(
                    migrate.errors().contains("none: not there (expected: a file or a directory)"), migrate.errors());
        }
    }

    /** Converts an application with docs/migrate. */
    private String moved(String name) throws Exception {
        Path source = scratch.resolve(name + ".java");
        Files.copy(PROGRAMS.resolve(name + ".java"), source, StandardCopyOption.REPLACE_EXISTING);
        migrate(source);
        return Files.readString(source);
    }

    private String migrate(Path path) throws Exception {
        try (Launched migrate =
                Launched.start(scratch, List.of(DOCS.resolve("migrate").toString(), path.toString()))) {
            assertEquals(0, migrate.status(), migrate::errors);
            return migrate.output();
        }
    }

    private void assertPrints(String expected, String name, String input, String... arguments) throws Exception {
        Path classes = compiled(name);
        Path file = Files.writeString(scratch.resolve(name + ".txt"), input);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dspark.master=local[2]",
                "-cp",
                String.join(File.pathSeparator, classes.toString(), Programs.embedded(), Programs.slf4j()),
                "user." + name,
                file.toString()));
        command.addAll(List.of(arguments));
        try (Launched program = Launched.start(scratch, command)) {
            assertEquals(0, program.status(), program::errors);
            assertEquals(expected, program.output(), program::errors);
            assertEquals("", program.errors());
        }
    }

    private Path compiled(String name) throws Exception {
        Path source = Files.createDirectories(scratch.resolve("user")).resolve(name + ".java");
        Files.writeString(source, moved(name));
        Path classes = Files.createDirectories(scratch.resolve("classes"));
        ByteArrayOutputStream problems = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        problems,
                        "--release",
                        "17",
                        "-proc:none",
                        "-d",
                        classes.toString(),
                        "-cp",
                        api().toString(),
                        source.toString());
        assertEquals(0, status, () -> problems.toString(StandardCharsets.UTF_8));
        return classes;
    }

    /** The jar of the api alone, which programs compile against. */
    private static Path api() throws IOException {
        String version = Objects.requireNonNull(System.getProperty("hearth.version"));
        return Path.of(Objects.requireNonNull(System.getProperty("hearth.tree")))
                .resolve("platform/api/target/hearth-api-" + version + ".jar")
                .toRealPath();
    }
}
