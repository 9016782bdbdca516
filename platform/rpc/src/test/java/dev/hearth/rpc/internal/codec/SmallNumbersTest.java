package dev.hearth.rpc.internal.codec;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.codec.Samples.Smalls;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes, shorts, floats and chars: every value is carried, and values out of range are refused. */
class SmallNumbersTest {
    private static final int PATTERNS = 1 << Short.SIZE;

    record Primitives(boolean a, byte b, short c, int d, long e, float f, double g, char h) {}

    record OneShort(short value) {}

    record Shorts(List<Short> value) {}

    record OneChar(char value) {}

    record Chars(List<Character> value) {}

    record OneFloat(float value) {}

    record Floats(List<Float> value) {}

    record OneByte(byte value) {}

    /** Message numbers 1 to 8 in the protocol of {@link #codecs}. */
    private static final Protocol PROTOCOL = Samples.protocol(
            OneShort.class,
            Shorts.class,
            OneChar.class,
            Chars.class,
            OneFloat.class,
            Floats.class,
            OneByte.class,
            Smalls.class);

    /** The generic and the compiled codec. */
    static Stream<ProtocolCodec> codecs() {
        ProtocolCodec generic = new ProtocolCodec(PROTOCOL);
        generic.stayGeneric();
        ProtocolCodec compiled = new ProtocolCodec(PROTOCOL);
        compiled.compile();
        return Stream.of(generic, compiled);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void carriesEveryByteShortAndChar(ProtocolCodec codec) {
        for (int seed = 0; seed < PATTERNS; seed++) {
            Smalls sent = Samples.smalls(seed);
            assertEquals(sent, Samples.decode(codec, Samples.encode(codec, sent)), "seed " + seed);
        }
        List<Short> shorts = new ArrayList<>();
        List<Character> chars = new ArrayList<>();
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            shorts.add((short) pattern);
            chars.add((char) pattern);
        }
        assertEquals(new Shorts(shorts), Samples.decode(codec, Samples.encode(codec, new Shorts(shorts))));
        assertEquals(new Chars(chars), Samples.decode(codec, Samples.encode(codec, new Chars(chars))));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void keepsEveryBitOfAFloat(ProtocolCodec codec) {
        for (int bits : new int[] {0, 1 << 31, 1, 0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC12345, -1}) {
            float sent = Float.intBitsToFloat(bits);
            OneFloat alone = (OneFloat) Samples.decode(codec, Samples.encode(codec, new OneFloat(sent)));
            assertEquals(bits, Float.floatToRawIntBits(alone.value()));
            Floats listed = (Floats) Samples.decode(codec, Samples.encode(codec, new Floats(List.of(sent))));
            assertEquals(bits, Float.floatToRawIntBits(listed.value().get(0)));
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void refusesWhatIsOutOfRange(ProtocolCodec codec) {
        Map<Integer, String> shorts = Map.of(
                Short.MAX_VALUE + 1,
                "32768",
                Short.MIN_VALUE - 1,
                "-32769",
                Integer.MAX_VALUE,
                "2147483647",
                Integer.MIN_VALUE,
                "-2147483648");
        shorts.forEach((value, text) -> {
            String expected = ".value: " + text + " (expected: a short, -32768 to 32767)";
            assertEquals("protocol samples, OneShort" + expected, fault(codec, integer(1, value)));
            assertEquals("protocol samples, Shorts" + expected, fault(codec, integer(2, 1, value)));
        });
        Map<Integer, String> chars =
                Map.of(Character.MAX_VALUE + 1, "65536", Integer.MAX_VALUE, "2147483647", -1, "4294967295");
        chars.forEach((value, text) -> {
            String expected = ".value: " + text + " (expected: a char, 0 to 65535)";
            assertEquals("protocol samples, OneChar" + expected, fault(codec, count(3, value)));
            assertEquals("protocol samples, Chars" + expected, fault(codec, count(4, 1, value)));
        });
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void refusesWhatEndsWithinANumber(ProtocolCodec codec) {
        String ended = ".value: the end after 3 bytes (expected: 4 more)";
        assertEquals("protocol samples, OneFloat" + ended, fault(codec, new byte[] {5, 0, 0, 0}));
        assertEquals("protocol samples, Floats" + ended, fault(codec, new byte[] {6, 1, 0, 0, 0}));
        String cut = ".value: the end after 0 bytes (expected: 1 more)";
        assertEquals("protocol samples, OneShort" + cut, fault(codec, new byte[] {1, -1}));
        assertEquals("protocol samples, OneChar" + cut, fault(codec, new byte[] {3, -1}));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void readsWhatIsMissingAsZero(ProtocolCodec codec) {
        assertEquals(new OneShort((short) 0), Samples.decode(codec, new byte[] {1}));
        assertEquals(new OneChar('\0'), Samples.decode(codec, new byte[] {3}));
        assertEquals(new OneFloat(0), Samples.decode(codec, new byte[] {5}));
        assertEquals(new OneByte((byte) 0), Samples.decode(codec, new byte[] {7}));
        Smalls nothing = new Smalls(
                (byte) 0, (short) 0, 0, '\0', List.of(), List.of(), List.of(), List.of(), Map.of(), Map.of());
        assertEquals(nothing, Samples.decode(codec, new byte[] {8}));
    }

    /** If a type could not be compiled, the generic serializer would replace it, and no comparison would notice. */
    @Test
    void compilesEveryPrimitiveType() {
        ValueCodec[] codecs = {
            ScalarCodec.BOOLEAN,
            ScalarCodec.BYTE,
            ScalarCodec.SHORT,
            ScalarCodec.INT,
            ScalarCodec.LONG,
            ScalarCodec.FLOAT,
            ScalarCodec.DOUBLE,
            ScalarCodec.CHAR
        };
        RecordSerializer form = RecordSerializerCompiler.compile(
                        new RecordAccessor(Primitives.class, MethodHandles.lookup()), codecs)
                .orElseThrow();
        Primitives sent = new Primitives(true, (byte) -1, (short) -2, -3, -4, -5, -6, Samples.HALF_A_PAIR);
        assertEquals(sent, through(form, sent));
    }

    /** A wrong box in a list, by way of a raw type, as code with an ignored compiler warning may create. */
    @ParameterizedTest
    @MethodSource("codecs")
    @SuppressWarnings({"unchecked", "rawtypes"})
    void doesNotTakeANumberOfAnotherType(ProtocolCodec codec) {
        Shorts polluted = new Shorts((List) Collections.singletonList(7));
        HearthException failure = assertThrows(HearthException.class, () -> Samples.encode(codec, polluted));
        assertEquals(
                "protocol samples, Shorts, Shorts.value: an element of another type than declared"
                        + " (expected: the declared type)",
                failure.getMessage());
    }

    private static Object through(RecordSerializer form, Record message) {
        WireOutput out = new WireOutput(Samples.BYTES_MAX);
        return assertDoesNotThrow(() -> {
            form.write(out, message);
            return form.read(new WireInput(out.array(), 0, out.size()));
        });
    }

    private static byte[] integer(int... values) {
        int[] written = values.clone();
        int last = values.length - 1;
        written[last] = values[last] << 1 ^ values[last] >> 31;
        return count(written);
    }

    private static byte[] count(int... values) {
        WireOutput out = new WireOutput(Samples.BYTES_MAX);
        for (int value : values) {
            out.putCount(value);
        }
        return Arrays.copyOf(out.array(), out.size());
    }

    private static String fault(ProtocolCodec codec, byte[] bytes) {
        HearthException failure = assertThrows(HearthException.class, () -> Samples.decode(codec, bytes));
        assertEquals(ErrorCode.MALFORMED_MESSAGE.name(), failure.code());
        return String.valueOf(failure.getMessage());
    }
}
