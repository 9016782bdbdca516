package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs every example by bin/run-example and compares its result with that of {@link ExampleModels} for the same input.
 */
@Timeout(120)
class ExamplesIT {
    private static final List<String> NAMES = List.of(
            "Fails",
            "FailsInTask",
            "JobProgress",
            "KMeans",
            "LogQuery",
            "LogisticRegression",
            "PageRank",
            "Pi",
            "TeraGenerate",
            "TeraSort",
            "TeraValidate",
            "TransitiveClosure",
            "WordCount");
    private static final Comparator<byte[]> BY_KEY = (one, other) -> Arrays.compareUnsigned(one, 0, 10, other, 0, 10);
    private static final double CLOSE = 1e-9;

    @TempDir
    static Path scratch;

    private static Installation installation;

    private final Random random = new Random(7);

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.in(scratch);
    }

    @Test
    void estimatesPi() throws Exception {
        int darts = 20 * 100_000;
        double pi = Double.parseDouble(output("Pi", "20").replace("Pi is roughly ", ""));
        double deviation = 4 * Math.sqrt(Math.PI / 4 * (1 - Math.PI / 4) / darts);
        assertEquals(Math.PI, pi, 5 * deviation);
    }

    @Test
    void countsWords() throws Exception {
        List<String> lines = IntStream.range(0, 2_000)
                .mapToObj(i -> "w" + letters(random.nextInt(300)) + ", Ärger; " + letters(random.nextInt(50)) + "'s")
                .toList();
        List<String> expected = new ArrayList<>();
        ExampleModels.wordCount(lines).forEach((word, count) -> expected.add(word + "\t" + count));
        assertEquals(expected, output("WordCount", file(lines)).lines().toList());
    }

    @Test
    void ranksPages() throws Exception {
        List<String> lines = edges(300, 1_500);
        Map<String, Double> expected = ExampleModels.ranks(lines, 7);
        Map<String, Double> ranks = new LinkedHashMap<>();
        output("PageRank", file(lines), "7")
                .lines()
                .map(line -> line.split("\t", -1))
                .forEach(rank -> ranks.put(rank[0], Double.parseDouble(rank[1])));
        assertEquals(expected.keySet(), ranks.keySet());
        ranks.forEach((page, rank) -> assertEquals(expected.get(page), rank, CLOSE, page));
        List<Double> inOrder = new ArrayList<>(ranks.values());
        inOrder.sort(Comparator.reverseOrder());
        assertEquals(inOrder, List.copyOf(ranks.values()));
    }

    @Test
    void findsWhatCanBeReached() throws Exception {
        List<String> lines = edges(60, 80);
        List<String> expected = new ArrayList<>();
        ExampleModels.reached(lines).forEach((from, reached) -> reached.forEach(to -> expected.add(from + "\t" + to)));
        Collections.sort(expected);
        assertEquals(expected, output("TransitiveClosure", file(lines)).lines().toList());
    }

    @Test
    void asksALog() throws Exception {
        List<String> lines = new ArrayList<>();
        SortedMap<String, long[]> expected = new TreeMap<>();
        for (int i = 0; i < 3_000; i++) {
            String path = "/page" + random.nextInt(20);
            int status = List.of(200, 304, 404, 500).get(random.nextInt(4));
            int bytes = random.nextInt(100_000);
            lines.add("192.0.2." + random.nextInt(256) + " - ada [18/Nov/2026:10:00:00 +0000] \"GET " + path
                    + " HTTP/1.1\" " + status + " " + (bytes == 0 ? "-" : bytes) + " \"-\" \"Browser/1.0\"");
            long[] sums = expected.computeIfAbsent(path + "\t" + status, missing -> new long[2]);
            sums[0]++;
            sums[1] += bytes;
        }
        lines.addAll(List.of("", "no request", "192.0.2.1 - - [] \"GET\""));
        try (Launched asked = installation.example("LogQuery", file(lines))) {
            assertEquals(0, asked.status(), asked::errors);
            List<String> answers = new ArrayList<>();
            expected.forEach((subject, sums) -> answers.add(subject + "\t" + sums[0] + "\t" + sums[1]));
            assertEquals(answers, asked.output().lines().toList());
            assertEquals("lines that are no requests: 3\n", asked.errors());
        }
    }

    @Test
    void findsCentres() throws Exception {
        List<double[]> points = IntStream.range(0, 600)
                .mapToObj(i ->
                        new double[] {i % 3 * 20 + random.nextGaussian() * 4, i % 2 * 15 + random.nextGaussian() * 4})
                .toList();
        List<double[]> centres = output("KMeans", file(rows(points)), "4")
                .lines()
                .map(ExamplesIT::numbers)
                .toList();
        List<double[]> expected = ExampleModels.centres(points, 4);
        assertEquals(4, centres.size());
        for (int i = 0; i < 4; i++) {
            assertArrayEquals(expected.get(i), centres.get(i), CLOSE);
        }
    }

    @Test
    void learnsToTellKindsApart() throws Exception {
        List<double[]> rows = IntStream.range(0, 400)
                .mapToObj(i ->
                        new double[] {i % 2 * 2 - 1, i % 2 + random.nextGaussian(), random.nextGaussian() - i % 2 * 2, 1
                        })
                .toList();
        List<String> lines =
                rows(rows).stream().map(line -> line.replaceFirst("\\.0", "")).toList();
        double[] weights = output("LogisticRegression", file(lines), "25")
                .lines()
                .mapToDouble(Double::parseDouble)
                .toArray();
        assertArrayEquals(ExampleModels.weights(rows, 25), weights, CLOSE);
    }

    @Test
    void sortsRecordsAndNoticesWhatIsNotSorted() throws Exception {
        Path made = scratch.resolve("tera made");
        Path sorted = scratch.resolve("tera sorted");
        String sum = output("TeraGenerate", made.toString(), "20000", "3");
        assertTrue(sum.matches("20000\t[0-9a-f]+\n"), sum);
        assertEquals(sum, output("TeraSort", made.toString(), sorted.toString(), "4"));
        assertEquals(sum, output("TeraValidate", sorted.toString(), "20000"));

        List<byte[]> before = ExampleModels.records(parts(made, 3));
        List<byte[]> after = ExampleModels.records(parts(sorted, 4));
        before.sort(BY_KEY); // keys of 10 random bytes differ
        assertEquals(20_000, before.size());
        assertArrayEquals(before.toArray(), after.toArray());

        Path second = sorted.resolve("part-00001");
        byte[] whole = Files.readAllBytes(second);
        byte[] damaged = whole.clone();
        System.arraycopy(whole, 0, damaged, 100, 100); // one record twice, in order
        assertInvalid(second, damaged, sorted, "in order, 20000\t");
        assertInvalid(second, Arrays.copyOf(whole, whole.length - 100), sorted, "in order, 19999\t");
        System.arraycopy(whole, 100, damaged, 0, 100); // two records changed places
        System.arraycopy(whole, 0, damaged, 100, 100);
        assertInvalid(second, damaged, sorted, "not in order, " + sum.strip());
        Files.write(second, whole);
        Files.move(sorted.resolve("part-00000"), sorted.resolve("part-00009")); // each part is sorted by itself
        try (Launched refused = installation.example("TeraValidate", sorted.toString(), "20000")) {
            assertEquals(1, refused.status(), refused::errors);
            assertTrue(refused.errors().contains("not in order, " + sum.strip()), refused::errors);
        }
    }

    private static void assertInvalid(Path file, byte[] bytes, Path directory, String found) throws Exception {
        Files.write(file, bytes);
        try (Launched refused = installation.example("TeraValidate", directory.toString(), "20000")) {
            assertEquals(1, refused.status(), refused::errors);
            assertTrue(refused.errors().startsWith("error: records: " + found), refused::errors);
        }
    }

    @Test
    void showsHowFarAJobIs() throws Exception {
        List<String> lines = output("JobProgress", "4000000", "12").lines().toList();
        int last = lines.size() - 1;
        assertTrue(last > 0, lines::toString); // it takes many times as long as one poll
        assertEquals("primes\t" + ExampleModels.primes(4_000_000), lines.get(last));
        int done = 0;
        for (String line : lines.subList(0, last)) {
            assertTrue(line.matches("job 0\t(RUNNING|SUCCEEDED)\t\\d+\t12"), line);
            int now = Integer.parseInt(line.split("\t", -1)[2]);
            assertTrue(now >= done && now <= 12, lines::toString);
            done = now;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"KMeans", "LogQuery", "LogisticRegression", "PageRank", "TransitiveClosure", "WordCount"})
    void runsOnWhatIsBuiltIn(String name) throws Exception {
        assertTrue(output(name).lines().count() >= 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2   | slices: 'x' (expected: a whole number, 1 or more); usage: Pi [slices] | Pi x",
                "2   | slices: '0' (expected: a whole number, 1 or more); usage: Pi [slices] | Pi 0",
                "2   | arguments: 2 (expected: as in the usage); usage: WordCount [file] | WordCount a b",
                "2   | arguments: 1 (expected: as in the usage); usage: TeraSort from to [partitions] | TeraSort a",
                "2   | centres: '-1' (expected: a whole number, 1 or more); usage: KMeans [file] [centres] | KMeans a -1",
                "3   | input path '/no/such': no such file or directory | PageRank /no/such",
                "2   | cluster manager for scheme 'nope': not installed | --master nope://x Pi",
                "2   | cluster manager for scheme 'nope': not installed | Pi --master nope://x 3",
                "2   | did you mean --master? | Pi --mastr nope://x 3",
                "1   | boom | Fails",
                "1   | element 3 is bad | FailsInTask"
            })
    void saysInOneLineWhatIsWrong(int status, String message, String arguments) throws Exception {
        try (Launched refused = installation.example(arguments.split(" "))) {
            assertEquals(status, refused.status(), refused::errors);
            assertTrue(
                    refused.errors().startsWith("error: ") && refused.errors().contains(message), refused::errors);
            // below it may only stand where in the program that was
            assertTrue(refused.errors().lines().skip(1).allMatch(line -> line.startsWith("  ")), refused::errors);
            if (status == ExitCode.USAGE.status()) {
                assertEquals(1, refused.errors().lines().count(), refused::errors);
            }
            assertEquals("", refused.output());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Nope", "Arguments", "../Pi", "pi", "package-info", "."})
    void namesTheExamplesThereAre(String unknown) throws Exception {
        try (Launched refused = installation.example("--master", "local[2]", unknown, "4")) {
            assertEquals(2, refused.status(), refused::errors);
            assertTrue(refused.errors().startsWith("error: example: '" + unknown + "' (expected: one of these)\n"));
            assertEquals(NAMES, names(refused.errors()));
            assertEquals("", refused.output());
        }
    }

    @Test
    void tellsHowToUseItAndWhatThereIs() throws Exception {
        try (Launched help = installation.example("--help");
                Launched nothing = installation.example()) {
            assertEquals(0, help.status());
            assertEquals("", help.errors());
            assertEquals(NAMES, names(help.output()));
            assertTrue(help.output().startsWith("usage: run-example "), help::output);
            assertTrue(help.output()
                    .contains("  Pi                  Estimates pi by throwing random darts at a square.\n"));
            assertEquals(2, nothing.status());
            assertEquals(help.output(), nothing.errors());
        }
    }

    @Test
    void runsFromAnywhereThroughALinkByItsFullName() throws Exception {
        Path link = Files.createSymbolicLink(
                scratch.resolve("a link"), Path.of("a hearth in Köln").resolve("bin/run-example"));
        String script = "cd / && exec \"$0\" dev.hearth.examples.Pi --conf hearth.master=local[1] 2";
        try (Launched linked =
                Launched.start(scratch, Map.of("CDPATH", "/"), List.of("/bin/bash", "-c", script, link.toString()))) {
            assertEquals(0, linked.status(), linked::errors);
            assertEquals(output("Pi", "2"), linked.output());
        }
    }

    private static List<String> names(String text) {
        return text.lines()
                .filter(line -> line.matches("  [A-Z][A-Za-z]+ +[A-Z].*\\."))
                .map(line -> line.strip().split(" ", 2)[0])
                .toList();
    }

    private static String output(String... arguments) throws Exception {
        try (Launched example = installation.example(arguments)) {
            assertEquals(0, example.status(), example::errors);
            return example.output();
        }
    }

    private static String file(List<String> lines) throws IOException {
        return Files.write(Files.createTempFile(scratch, "an input", ".txt"), lines)
                .toString();
    }

    private List<String> edges(int nodes, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "n" + random.nextInt(nodes) + " n" + random.nextInt(nodes))
                .toList();
    }

    private static List<String> rows(List<double[]> rows) {
        return rows.stream()
                .map(row -> Arrays.stream(row)
                        .mapToObj(String::valueOf)
                        .reduce((one, other) -> one + " " + other)
                        .orElseThrow())
                .toList();
    }

    private static double[] numbers(String line) {
        return Arrays.stream(line.split("\t", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static String letters(int number) {
        return number < 26 ? "" + (char) ('a' + number) : letters(number / 26) + letters(number % 26);
    }

    private static List<byte[]> parts(Path directory, int count) throws IOException {
        List<byte[]> parts = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory).sorted()) {
            for (Path file : files.toList()) {
                parts.add(Files.readAllBytes(file));
            }
        }
        assertEquals(count, parts.size());
        return parts;
    }
}
