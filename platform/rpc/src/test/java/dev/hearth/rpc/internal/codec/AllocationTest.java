package dev.hearth.rpc.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages that cost as much memory as possible, compared with the factor that {@link WireInput} states. */
class AllocationTest {
    private static final int MESSAGE_BYTES = 100_000;

    /** Fixed allocations of a decode: the input itself, a fault with its text, the record of the message. */
    private static final int FIXED_BYTES_MAX = 8 * 1024;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    record Nothing() {}

    record One(String text) {}

    record Wide(long a, long b, long c, long d, int e, String f, String g, Nothing h, List<One> i, double j) {}

    record Tree(List<Tree> branches) {}

    record Booleans(List<Boolean> all) {}

    record Tinies(List<Byte> all) {}

    record Smalls(List<Short> all) {}

    record Singles(List<Float> all) {}

    record Letters(List<Character> all) {}

    record TinyMaps(List<Map<Byte, Character>> all) {}

    record SmallMaps(List<Map<Short, Optional<Float>>> all) {}

    record Narrow(byte a, short b, float c, char d, byte e, short f, float g, char h) {}

    record Narrows(List<Narrow> all) {}

    record Doubles(List<Double> all) {}

    record Longs(List<Long> all) {}

    record Texts(List<String> all) {}

    record Text(String all) {}

    record Blobs(List<Bytes> all) {}

    record Times(List<Duration> all) {}

    record Instants(List<Instant> all) {}

    record Options(List<Optional<Optional<Optional<Boolean>>>> all) {}

    record Numbers(List<OptionalLong> all, List<OptionalInt> more) {}

    record Lists(List<List<Boolean>> all) {}

    record Maps(List<Map<Integer, Boolean>> all) {}

    record TextMap(Map<String, String> all) {}

    record IdMaps(List<Map<Integer, One>> all) {}

    record Nothings(List<Nothing> all) {}

    record Ones(List<One> all) {}

    record Wides(List<Wide> all) {}

    /** A message whose component or list repeats {@code element} until it is full. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Hostile(Class<? extends Record> type, int components, boolean list, int... element) {
        byte[] bytes() {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(1);
            int count = MESSAGE_BYTES / element.length;
            if (list) {
                write(out, count);
            } else {
                write(out, count * element.length);
            }
            for (int i = 0; i < count; i++) {
                for (int each : element) {
                    out.write(each);
                }
            }
            return out.toByteArray();
        }

        private static void write(ByteArrayOutputStream out, int count) {
            WireOutput number = new WireOutput(Integer.BYTES);
            number.putCount(count);
            out.write(number.array(), 0, number.size());
        }

        @Override
        public String toString() {
            return type.getSimpleName() + " of " + Arrays.toString(element);
        }
    }

    static Stream<Hostile> hostile() {
        return Stream.of(
                new Hostile(Booleans.class, 0, true, 1),
                new Hostile(Doubles.class, 0, true, 1, 2, 3, 4, 5, 6, 7, 8),
                new Hostile(Longs.class, 0, true, 0xFF, 0x7F),
                new Hostile(Texts.class, 0, true, 0),
                new Hostile(Texts.class, 0, true, 1, 'a'),
                new Hostile(Texts.class, 0, true, 1, 0xFF),
                new Hostile(Texts.class, 0, true, 4, 0xFF, 'a', 'a', 'a'),
                new Hostile(Text.class, 0, false, 0xFF),
                new Hostile(Text.class, 0, false, 'a', 0xC3, 0xA4),
                new Hostile(Blobs.class, 0, true, 0),
                new Hostile(Blobs.class, 0, true, 1, 0),
                new Hostile(Times.class, 0, true, 1, 1),
                new Hostile(Instants.class, 0, true, 1, 1),
                new Hostile(Options.class, 0, true, 0),
                new Hostile(Options.class, 0, true, 1, 1, 0),
                new Hostile(Options.class, 0, true, 1, 1, 1, 0),
                new Hostile(Numbers.class, 0, true, 1, 1),
                new Hostile(Lists.class, 0, true, 0),
                new Hostile(Lists.class, 0, true, 1, 1),
                new Hostile(Lists.class, 0, true, 2, 1, 1),
                new Hostile(Lists.class, 0, true, 3, 1, 1, 1),
                new Hostile(Maps.class, 0, true, 0),
                new Hostile(Maps.class, 0, true, 1, 1, 1),
                new Hostile(Maps.class, 0, true, 2, 1, 1, 2, 1),
                new Hostile(Maps.class, 0, true, 2, 1, 1, 1, 1),
                new Hostile(Maps.class, 0, true, 3, 1, 1, 2, 1, 3, 1),
                new Hostile(Maps.class, 0, true, 4, 1, 1, 2, 1, 3, 1, 4, 1),
                new Hostile(Maps.class, 0, true, 7, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 6, 1, 7, 1),
                new Hostile(IdMaps.class, 1, true, 2, 1, 2, 1, 'a', 2, 2, 1, 'a'),
                new Hostile(IdMaps.class, 1, true, 2, 1, 0, 2, 0),
                new Hostile(TextMap.class, 0, true, 1, 'a', 1, 'b'),
                new Hostile(Nothings.class, 0, true, 0),
                new Hostile(Nothings.class, 0, true, 1, 9),
                new Hostile(Ones.class, 1, true, 0),
                new Hostile(Ones.class, 1, true, 1, 0),
                new Hostile(Ones.class, 1, true, 2, 1, 'a'),
                new Hostile(Wides.class, 10, true, 0),
                new Hostile(Wides.class, 10, true, 1, 0),
                new Hostile(Wides.class, 10, true, 2, 0xFF, 0x7F));
    }

    static Stream<Hostile> hostileInSmallNumbers() {
        return Stream.of(
                new Hostile(Tinies.class, 0, true, 0x80),
                new Hostile(Smalls.class, 0, true, 1),
                new Hostile(Smalls.class, 0, true, 0xFF, 0x7F),
                new Hostile(Singles.class, 0, true, 1, 2, 3, 4),
                new Hostile(Letters.class, 0, true, 'a'),
                new Hostile(Letters.class, 0, true, 0xFF, 0x7F),
                new Hostile(TinyMaps.class, 0, true, 1, 1, 1),
                new Hostile(TinyMaps.class, 0, true, 2, 1, 1, 2, 1),
                new Hostile(TinyMaps.class, 0, true, 2, 1, 0xFF, 0x7F, 2, 0xFF, 0x7F),
                new Hostile(SmallMaps.class, 0, true, 2, 1, 0, 2, 0),
                new Hostile(SmallMaps.class, 0, true, 2, 0xFF, 0x7F, 0, 0xFD, 0x7F, 0),
                new Hostile(SmallMaps.class, 0, true, 1, 1, 1, 1, 2, 3, 4),
                new Hostile(Narrows.class, 8, true, 0),
                new Hostile(Narrows.class, 8, true, 1, 0),
                new Hostile(Narrows.class, 8, true, 3, 1, 0xFF, 0x7F));
    }

    @BeforeAll
    static void measures() {
        assertTrue(THREADS.isThreadAllocatedMemoryEnabled(), "this JVM does not measure what threads allocate");
    }

    @ParameterizedTest
    @MethodSource({"hostile", "hostileInSmallNumbers"})
    void staysWithinTheMultiple(Hostile hostile) {
        ProtocolCodec codec = codec(hostile.type());
        byte[] bytes = hostile.bytes();
        for (boolean compiled : new boolean[] {false, true}) {
            if (compiled) {
                codec.compile();
            }
            assertWithin(codec, bytes, hostile.components());
        }
    }

    /** Every level declares all remaining bytes, as if no outer level had reserved any. */
    @Test
    void doesNotBelieveSizesThatOtherSizesHaveSpent() {
        ProtocolCodec codec = codec(Tree.class);
        WireOutput out = new WireOutput(2 * MESSAGE_BYTES);
        out.putByte(1);
        for (int depth = 0; depth < WireOutput.DEPTH_MAX; depth++) {
            out.putCount(MESSAGE_BYTES - 10 * depth); // elements
            out.putCount(MESSAGE_BYTES - 10 * depth); // length of the first one
        }
        byte[] bytes = Arrays.copyOf(out.array(), MESSAGE_BYTES + 10);
        HearthException failure = assertThrows(HearthException.class, () -> Samples.decode(codec, bytes));
        assertTrue(String.valueOf(failure.getMessage()).contains("expected: at most the"), failure.getMessage());
        assertWithin(codec, bytes, 1);
    }

    @Test
    void readsMessagesThatUseEveryByte() {
        Protocol protocol = Samples.protocol(Lists.class);
        Lists lists = new Lists(List.of(List.of(), List.of(true), List.of(), List.of(false, true), List.of()));
        assertEquals(lists, Samples.decode(protocol, Samples.encode(protocol, lists)));
    }

    private static void assertWithin(ProtocolCodec codec, byte[] bytes, int components) {
        long factor = WireInput.ALLOCATION_FACTOR + (long) components * WireInput.COMPONENT_ALLOCATION / 2;
        decode(codec, bytes); // loads classes
        long before = THREADS.getCurrentThreadAllocatedBytes();
        decode(codec, bytes);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertTrue(
                allocated <= factor * bytes.length + FIXED_BYTES_MAX,
                () -> allocated + " bytes for " + bytes.length + " (expected: at most " + factor + " times as many)");
    }

    private static void decode(ProtocolCodec codec, byte[] bytes) {
        try {
            codec.decode(new WireInput(bytes, 0, bytes.length));
        } catch (HearthException failure) { // costs as much as a message
            assertEquals(ErrorCode.MALFORMED_MESSAGE.name(), failure.code());
        }
    }

    private static ProtocolCodec codec(Class<? extends Record> type) {
        return new ProtocolCodec(Protocol.named("hostile", MethodHandles.lookup())
                .message(1, type)
                .build());
    }
}
