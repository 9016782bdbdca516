package dev.hearth.rpc.internal.codec;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Records of every form that a protocol may carry, and their bytes. */
final class Samples {
    static final int BYTES_MAX = 1024 * 1024;

    static final Protocol PROTOCOL = protocol(Everything.class, Tree.class, Nothing.class, Flags.class, Smalls.class);

    /** An unpaired surrogate. */
    static final char HALF_A_PAIR = '\uD83D';

    private Samples() {}

    enum Colour {
        RED,
        GREEN,
        BLUE
    }

    record Place(String host, int port) {}

    record Everything(
            boolean flag,
            int whole,
            long large,
            double real,
            String text,
            Bytes bytes,
            Colour colour,
            Place nested,
            Duration time,
            List<Place> places,
            Optional<Place> maybe,
            Map<String, List<Long>> map,
            OptionalInt number,
            List<Colour> colours,
            Map<Colour, Optional<Double>> byColour,
            List<Boolean> flags,
            byte tiny,
            short small,
            float single,
            char letter,
            List<Byte> tinies,
            Optional<Short> maybeSmall,
            List<Float> singles,
            Map<Character, Byte> byLetter) {}

    record Tree(String name, List<Tree> branches) {}

    record Nothing() {}

    /** The types narrower than int or double, and their boxes. */
    record Smalls(
            byte tiny,
            short small,
            float single,
            char letter,
            List<Byte> tinies,
            List<Short> smalls,
            List<Float> singles,
            List<Character> letters,
            Map<Byte, Optional<Character>> byTiny,
            Map<Short, Optional<Float>> bySmall) {}

    record Flags(List<Boolean> flags, List<Nothing> nothings, Map<Integer, Bytes> bytes) {}

    @SafeVarargs
    static Protocol protocol(Class<? extends Record>... types) {
        Protocol.Builder builder = Protocol.named("samples", MethodHandles.lookup());
        int number = 1;
        for (Class<? extends Record> type : types) {
            builder.message(number++, type);
        }
        return builder.build();
    }

    static Everything everything() {
        Map<String, List<Long>> map = new LinkedHashMap<>();
        map.put("z", List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE));
        map.put("", List.of());
        return new Everything(
                true,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                -0.0,
                "Grüße, 世界 \uD83D\uDD25\u0000",
                Bytes.owning(new byte[] {0, 1, -1}),
                Colour.BLUE,
                new Place("x".repeat(300), 7077),
                Duration.ofSeconds(-7, 999_999_999),
                List.of(new Place("", 0), new Place("b", -1)),
                Optional.of(new Place("c", 1)),
                map,
                OptionalInt.of(Integer.MAX_VALUE),
                List.of(Colour.GREEN, Colour.RED),
                Map.of(Colour.GREEN, Optional.of(Double.NaN)),
                List.of(true, false),
                Byte.MIN_VALUE,
                Short.MIN_VALUE,
                -0.0f,
                HALF_A_PAIR,
                List.of(Byte.MAX_VALUE, (byte) 0, (byte) -1),
                Optional.of(Short.MAX_VALUE),
                List.of(Float.NaN, Float.MIN_VALUE),
                Map.of(Character.MAX_VALUE, (byte) 7));
    }

    /** Derived from the bits of {@code seed} only, so that all 16-bit seeds cover every byte, short and char. */
    static Smalls smalls(int seed) {
        byte tiny = (byte) (seed >> Byte.SIZE);
        short small = (short) seed;
        float single = Float.intBitsToFloat(seed << Short.SIZE | (~seed & 0xFFFF));
        char letter = (char) ~seed;
        return new Smalls(
                tiny,
                small,
                single,
                letter,
                List.of(tiny),
                List.of(small, small),
                List.of(single),
                List.of(letter, letter),
                Map.of(tiny, Optional.of(letter)),
                Map.of(small, Optional.of(single)));
    }

    /** A chain of {@code depth} nested trees. */
    static Tree chain(int depth) {
        Tree tree = new Tree("leaf", List.of());
        for (int i = 1; i < depth; i++) {
            tree = new Tree("t", List.of(tree));
        }
        return tree;
    }

    static Tree bush(int branches) {
        List<Tree> leaves = new ArrayList<>();
        for (int i = 0; i < branches; i++) {
            leaves.add(new Tree("leaf " + i, List.of()));
        }
        return new Tree("bush", leaves);
    }

    static byte[] encode(Protocol protocol, Record message) {
        return encode(new ProtocolCodec(protocol), message);
    }

    static byte[] encode(ProtocolCodec codec, Record message) {
        WireOutput out = new WireOutput(BYTES_MAX);
        codec.encode(message, out);
        return Arrays.copyOf(out.array(), out.size());
    }

    static Record decode(Protocol protocol, byte[] bytes) throws HearthException {
        return decode(new ProtocolCodec(protocol), bytes);
    }

    static Record decode(ProtocolCodec codec, byte[] bytes) throws HearthException {
        return codec.decode(new WireInput(bytes, 0, bytes.length));
    }
}
