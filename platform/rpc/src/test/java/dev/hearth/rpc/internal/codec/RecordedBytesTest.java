package dev.hearth.rpc.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bytes as the first release encoded them, and as older and newer releases may encode them. The lines of
 * {@code recorded/*.hex} never change: a change breaks every installed peer.
 */
class RecordedBytesTest {
    enum Colour {
        RED,
        GREEN,
        BLUE
    }

    record Id(String value) {}

    record Point(int x, int y) {}

    record Truth(boolean yes, boolean no) {}

    record Ints(int zero, int minus, int byteEnd, int most, int least) {}

    record Longs(long zero, long minus, long large, long most, long least) {}

    record Doubles(double zero, double minusZero, double real, double infinite) {}

    record Texts(String empty, String ascii, String wide, String halves) {}

    record Blobs(Bytes empty, Bytes some) {}

    record Colours(Colour first, Colour last) {}

    record Times(Duration zero, Duration minus, Instant epoch, Instant most, Instant before) {}

    record Numbers(OptionalInt none, OptionalInt some, OptionalLong nothing, OptionalLong large) {}

    record Nested(Id id, Point point, Truth truth) {}

    record Lists(List<Integer> none, List<Long> some, List<Point> points, List<List<String>> lists) {}

    record Optionals(Optional<Boolean> none, Optional<Double> some, Optional<Optional<Point>> nested) {}

    record Maps(Map<String, Integer> none, Map<Colour, Id> some, Map<Id, List<Duration>> lists) {}

    /** Has more components than {@code older.hex}, and fewer than {@code newer.hex}. */
    record Grown(
            String name,
            Id id,
            boolean flag,
            int whole,
            long large,
            double real,
            Bytes bytes,
            Colour colour,
            Duration time,
            Instant instant,
            OptionalInt number,
            OptionalLong maybe,
            List<Point> points,
            Optional<Point> point,
            Map<String, Point> map) {}

    record Holder(Grown grown, List<Point> points, Point last) {}

    record Smalls(byte zero, byte least, byte most, short none, short minus, short bottom, short top) {}

    record Floats(float zero, float minusZero, float real, float infinite, float none) {}

    record Chars(char zero, char letter, char wide, char half, char last) {}

    record Boxes(
            List<Byte> bytes,
            Optional<Short> number,
            Optional<Float> real,
            List<Character> letters,
            Map<Short, Byte> some,
            Map<Character, Float> byLetter) {}

    /** As {@link Grown}, with component types added later. */
    record GrownSmall(String name, byte tiny, short small, float real, char letter, List<Float> reals) {}

    private static final Protocol PROTOCOL = protocol();

    private static Protocol protocol() {
        Protocol.Builder builder = Protocol.named("recorded", MethodHandles.lookup());
        int number = 1;
        for (Record each : samples().values()) {
            builder.message(number++, each.getClass());
        }
        return builder.build();
    }

    /** One message per kind, by the name of its recorded bytes. New kinds are added at the end. */
    private static Map<String, Record> samples() {
        Map<String, Record> all = new LinkedHashMap<>();
        for (Record each : List.of(
                new Truth(true, false),
                new Ints(0, -1, 64, Integer.MAX_VALUE, Integer.MIN_VALUE),
                new Longs(0, -1, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE),
                new Doubles(0.0, -0.0, Math.PI, Double.NEGATIVE_INFINITY),
                new Texts("", "x".repeat(130), "Grüße, 世界 \uD83D\uDD25", "\u0000~"),
                new Blobs(Bytes.EMPTY, Bytes.owning(new byte[] {0, 1, -1})),
                new Colours(Colour.RED, Colour.BLUE),
                new Times(
                        Duration.ZERO,
                        Duration.ofSeconds(-7, 999_999_999),
                        Instant.EPOCH,
                        Instant.MAX,
                        Instant.ofEpochSecond(-1, 1)),
                new Numbers(OptionalInt.empty(), OptionalInt.of(-5), OptionalLong.empty(), OptionalLong.of(1L << 40)),
                new Nested(new Id("an-id"), new Point(3, -4), new Truth(false, true)),
                new Lists(List.of(), List.of(1L, -1L), List.of(new Point(1, 2)), List.of(List.of(), List.of("a", ""))),
                new Optionals(Optional.empty(), Optional.of(0.5), Optional.of(Optional.of(new Point(0, 1)))),
                new Maps(
                        Map.of(),
                        Map.of(Colour.GREEN, new Id("g")),
                        Map.of(new Id("k"), List.of(Duration.ofMillis(1_500)))),
                grown(),
                new Holder(grown(), List.of(), new Point(1, 1)),
                new Point(3, -4),
                new Smalls(
                        (byte) 0,
                        Byte.MIN_VALUE,
                        Byte.MAX_VALUE,
                        (short) 0,
                        (short) -1,
                        Short.MIN_VALUE,
                        Short.MAX_VALUE),
                new Floats(0, -0.0f, (float) Math.PI, Float.NEGATIVE_INFINITY, Float.NaN),
                new Chars('\0', 'a', '世', '\uD83D', Character.MAX_VALUE),
                new Boxes(
                        List.of((byte) -1, (byte) 1),
                        Optional.of((short) -300),
                        Optional.of(0.5f),
                        List.of('a', '\uDD25'),
                        Map.of((short) 64, (byte) 2),
                        Map.of('z', 1.5f)),
                new GrownSmall("grown", (byte) 1, (short) 2, 3, '4', List.of(5f)))) {
            all.put(each.getClass().getSimpleName(), each);
        }
        return all;
    }

    private static Grown grown() {
        return new Grown(
                "grown",
                new Id("i"),
                true,
                1,
                2,
                3,
                Bytes.owning(new byte[] {4}),
                Colour.GREEN,
                Duration.ofSeconds(5),
                Instant.ofEpochSecond(6),
                OptionalInt.of(7),
                OptionalLong.of(8),
                List.of(new Point(9, 9)),
                Optional.of(new Point(10, 10)),
                Map.of("eleven", new Point(11, 11)));
    }

    private static Grown small(String name) {
        return new Grown(
                name,
                new Id(""),
                false,
                0,
                0,
                0,
                Bytes.EMPTY,
                Colour.RED,
                Duration.ZERO,
                Instant.EPOCH,
                OptionalInt.empty(),
                OptionalLong.empty(),
                List.of(),
                Optional.empty(),
                Map.of());
    }

    /** Expected messages of the lines in {@code older.hex} and {@code newer.hex}. */
    private static Map<String, Record> evolved() {
        Map<String, Record> all = new LinkedHashMap<>();
        all.put("older: a name alone", small("old"));
        all.put("older: nothing at all", small(""));
        all.put(
                "older: nested with a name alone",
                new Holder(small("old"), List.of(new Point(1, 2), new Point(3, 0), new Point(0, 0)), new Point(0, 0)));
        all.put("older: a name before small numbers", new GrownSmall("old", (byte) 0, (short) 0, 0, '\0', List.of()));
        all.put("older: one small number", new GrownSmall("old", (byte) -1, (short) 0, 0, '\0', List.of()));
        all.put("newer: a component more", new Point(1, 2));
        all.put(
                "newer: a component more in nested ones and lists",
                new Holder(small("new"), List.of(new Point(1, 2), new Point(3, 4)), new Point(5, 6)));
        all.put("newer: constants not known here", new Colours(Colour.RED, Colour.RED));
        all.put("newer: keys not known here", new Maps(Map.of(), Map.of(Colour.RED, new Id("z")), Map.of()));
        all.put("newer: small components more", new Point(1, 2));
        all.put(
                "newer: small numbers with more behind",
                new GrownSmall("new", (byte) -128, (short) -1, 1, 'x', List.of(2f)));
        return all;
    }

    static Stream<ProtocolCodec> codecs() {
        ProtocolCodec generic = new ProtocolCodec(PROTOCOL);
        generic.stayGeneric();
        ProtocolCodec compiled = new ProtocolCodec(PROTOCOL);
        compiled.compile();
        return Stream.of(generic, compiled);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void readsWhatTheFirstReleaseWrote(ProtocolCodec codec) throws IOException {
        assertReads(codec, samples(), lines("version-1"));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void writesWhatTheFirstReleaseWrote(ProtocolCodec codec) throws IOException {
        List<String> written = new ArrayList<>();
        samples().forEach((name, message) -> written.add(name + " = " + hex(Samples.encode(codec, message))));
        List<String> recorded = new ArrayList<>();
        lines("version-1").forEach((name, bytes) -> recorded.add(name + " = " + bytes));
        assertEquals(String.join("\n", recorded), String.join("\n", written));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void readsWhatOlderAndNewerReleasesWrite(ProtocolCodec codec) throws IOException {
        Map<String, String> recorded = new LinkedHashMap<>();
        for (String age : List.of("older", "newer")) {
            lines(age).forEach((name, bytes) -> recorded.put(age + ": " + name, bytes));
        }
        assertReads(codec, evolved(), recorded);
    }

    private static void assertReads(ProtocolCodec codec, Map<String, Record> expected, Map<String, String> recorded) {
        assertEquals(List.copyOf(expected.keySet()), List.copyOf(recorded.keySet()));
        recorded.forEach((name, bytes) -> assertEquals(
                expected.get(name), Samples.decode(codec, HexFormat.of().parseHex(bytes)), name));
    }

    /** Names and bytes of one file, in file order; blanks within the bytes are ignored. */
    private static Map<String, String> lines(String file) throws IOException {
        Map<String, String> lines = new LinkedHashMap<>();
        try (InputStream in = RecordedBytesTest.class.getResourceAsStream("/recorded/" + file + ".hex")) {
            assertNotNull(in, file);
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            text.lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .forEach(line -> {
                        int middle = line.indexOf(" = ");
                        lines.put(
                                line.substring(0, middle),
                                line.substring(middle + 3).replace(" ", ""));
                    });
        }
        return lines;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
