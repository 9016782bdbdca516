package dev.hearth.rpc.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.codec.Samples.Colour;
import dev.hearth.rpc.internal.codec.Samples.Everything;
import dev.hearth.rpc.internal.codec.Samples.Place;
import dev.hearth.rpc.internal.codec.Samples.Tree;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtocolCodecTest {
    /** One byte each: no nested or optional component. */
    record Old(String name, int count) {}

    record New(
            String name,
            int count,
            boolean flag,
            long large,
            double real,
            Bytes bytes,
            Colour colour,
            Place nested,
            Duration time,
            List<Place> places,
            Optional<Place> maybe,
            Map<String, Place> map,
            OptionalInt number,
            byte tiny,
            short small,
            float single,
            char letter) {}

    record OldHolder(Old nested, String after) {}

    record NewHolder(New nested, String after) {}

    enum FewColours {
        NONE
    }

    record FewPainted(FewColours colour, Map<FewColours, String> names) {}

    record Painted(Colour colour, Map<Colour, String> names) {}

    @Test
    void transfersEveryTypeOfComponent() {
        Everything sent = Samples.everything();
        assertEquals(sent, roundTrip(sent));
        assertEquals(new Samples.Nothing(), roundTrip(new Samples.Nothing()));
        assertEquals(Samples.smalls(0x8001), roundTrip(Samples.smalls(0x8001)));
        assertEquals(Samples.bush(1_000), roundTrip(Samples.bush(1_000)));
        assertEquals(Samples.chain(WireOutput.DEPTH_MAX), roundTrip(Samples.chain(WireOutput.DEPTH_MAX)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, -1, 63, 64, 127, 128, 16_383, 16_384, -8_192, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void carriesNumbersAndTextsOfEveryLength(int value) {
        Place sent = new Place("é".repeat(Math.floorMod(value, 20_000)), value);
        Protocol protocol = Samples.protocol(Place.class);
        assertEquals(sent, Samples.decode(protocol, Samples.encode(protocol, sent)));
    }

    @Test
    void keepsTheOrderOfMaps() {
        Everything received = (Everything) roundTrip(Samples.everything());
        assertEquals(List.of("z", ""), List.copyOf(received.map().keySet()));
    }

    /** Recorded bytes: a change here breaks all peers of older releases. */
    @Test
    void writesTheFormThatOlderReleasesRead() {
        Protocol protocol = Samples.protocol(Painted.class, OldHolder.class);
        assertEquals(
                "02" + "06" + "0474657374" + "58" + "0161", hex(new OldHolder(new Old("test", 44), "a"), protocol));
        assertEquals(
                "01" + "01" + "01" + "02" + "0178", hex(new Painted(Colour.GREEN, Map.of(Colour.BLUE, "x")), protocol));
        assertEquals(
                "0101ffffffff0ffeffffffffffffffff018000000000000000"
                        + "154772c3bcc39f652c20e4b896e7958c20f09f94a500"
                        + "030001ff02"
                        + "b002ac02" + "78".repeat(300) + "ca6e"
                        + "0dff93ebdc03"
                        + "0202000003016201"
                        + "0103016302"
                        + "02017a040001ffffffffffffffffff01feffffffffffffffff010000"
                        + "01feffffff0f"
                        + "020100"
                        + "0101017ff8000000000000"
                        + "020100"
                        + "80" + "ffff03" + "80000000" + "bdb003"
                        + "037f00ff" + "01feff03"
                        + "027fc0000000000001"
                        + "01ffff0307",
                hex(Samples.everything(), Samples.PROTOCOL));
    }

    @Test
    void readsComponentsUnknownToAnOlderSenderAsDefaults() {
        Record received = Samples.decode(
                Samples.protocol(NewHolder.class),
                Samples.encode(Samples.protocol(OldHolder.class), new OldHolder(new Old("a", 7), "after")));
        New nested = new New(
                "a",
                7,
                false,
                0,
                0,
                Bytes.EMPTY,
                Colour.RED,
                new Place("", 0),
                Duration.ZERO,
                List.of(),
                Optional.empty(),
                Map.of(),
                OptionalInt.empty(),
                (byte) 0,
                (short) 0,
                0,
                '\0');
        assertEquals(new NewHolder(nested, "after"), received);
    }

    @Test
    void skipsComponentsOfANewerSender() {
        New nested = new New(
                "a",
                7,
                true,
                1,
                1,
                Bytes.owning(new byte[200]),
                Colour.BLUE,
                new Place("x", 1),
                Duration.ofDays(1),
                List.of(new Place("", 0)),
                Optional.of(new Place("", 0)),
                Map.of("k", new Place("", 0)),
                OptionalInt.of(1),
                (byte) -1,
                (short) 1_000,
                1,
                'x');
        Record received = Samples.decode(
                Samples.protocol(OldHolder.class),
                Samples.encode(Samples.protocol(NewHolder.class), new NewHolder(nested, "after")));
        assertEquals(new OldHolder(new Old("a", 7), "after"), received);
        assertEquals(
                new Old("a", 7),
                Samples.decode(Samples.protocol(Old.class), Samples.encode(Samples.protocol(New.class), nested)));
    }

    @Test
    void readsConstantsItDoesNotKnowAsTheFirst() {
        Painted sent = new Painted(Colour.BLUE, Map.of(Colour.GREEN, "g", Colour.BLUE, "g"));
        Record received = Samples.decode(
                Samples.protocol(FewPainted.class), Samples.encode(Samples.protocol(Painted.class), sent));
        assertEquals(new FewPainted(FewColours.NONE, Map.of(FewColours.NONE, "g")), received);
    }

    @Test
    void namesAMessageNumberItDoesNotKnow() {
        HearthException failure = malformed(Samples.PROTOCOL, new byte[] {99});
        assertTrue(text(failure).contains("message number 99"), () -> text(failure));
        assertTrue(text(failure).contains("Everything 1, Tree 2"), () -> text(failure));
    }

    record Strict(String id) {
        Strict {
            if (id.isEmpty()) {
                throw new IllegalArgumentException("id: empty (expected: a name)");
            }
        }
    }

    record StrictHolder(int before, Strict strict) {}

    @Test
    void turnsTheRefusalOfARecordIntoAFailureThatSaysWhere() {
        Protocol protocol = Samples.protocol(StrictHolder.class);
        byte[] bytes = Samples.encode(protocol, new StrictHolder(1, new Strict("a")));
        HearthException refused = malformed(protocol, new byte[] {1, 2, 1, 0});
        assertTrue(text(refused).contains("StrictHolder.strict"), () -> text(refused));
        assertTrue(text(refused).contains("id: empty"), () -> text(refused));
        HearthException missing = malformed(protocol, Arrays.copyOf(bytes, 2));
        assertTrue(text(missing).contains("StrictHolder.strict"), () -> text(missing));
        assertTrue(text(missing).contains("id: empty"), () -> text(missing));
    }

    @Test
    void refusesSizesThatTheBytesLeftCannotHold() {
        byte[] most = {-1, -1, -1, -1, 7};
        byte[] negative = {-1, -1, -1, -1, 15};
        for (byte[] claimed : List.of(most, negative)) {
            for (int message : new int[] {1, 2}) { // a list of trees, and a text
                byte[] bytes = message == 1 ? join(new byte[] {2, 0}, claimed) : join(new byte[] {2}, claimed);
                HearthException failure = malformed(Samples.PROTOCOL, bytes);
                assertTrue(text(failure).contains("(expected: at most the 0 left)"), () -> text(failure));
            }
        }
        malformed(Samples.PROTOCOL, new byte[] {-1, -1, -1, -1, -1, -1});
    }

    @Test
    void boundsTheElementsOfAMessageBothWays() {
        ProtocolCodec codec = new ProtocolCodec(Samples.PROTOCOL);
        List<Boolean> tooMany = Collections.nCopies(WireOutput.ELEMENTS_MAX + 1, true);
        WireOutput out = new WireOutput(Integer.MAX_VALUE);
        HearthException unsent = assertThrows(
                HearthException.class, () -> codec.encode(new Samples.Flags(tooMany, List.of(), Map.of()), out));
        assertEquals(ErrorCode.MESSAGE_TOO_LARGE.name(), unsent.code());

        WireOutput raw = new WireOutput(Integer.MAX_VALUE);
        raw.putCount(4);
        raw.putCount(WireOutput.ELEMENTS_MAX);
        for (int i = 0; i < WireOutput.ELEMENTS_MAX; i++) {
            raw.putByte(0);
        }
        raw.putCount(1); // one more element, in another list
        raw.putByte(0);
        HearthException unread =
                assertThrows(HearthException.class, () -> codec.decode(new WireInput(raw.array(), 0, raw.size())));
        assertEquals(ErrorCode.MALFORMED_MESSAGE.name(), unread.code());
        assertTrue(text(unread).contains("Flags.nothings"), () -> text(unread));
    }

    @Test
    void boundsTheDepthOfAMessageBothWays() {
        HearthException unsent = assertThrows(
                HearthException.class, () -> Samples.encode(Samples.PROTOCOL, Samples.chain(WireOutput.DEPTH_MAX + 2)));
        assertEquals(ErrorCode.MALFORMED_MESSAGE.name(), unsent.code());
        byte[] tree = {0, 0}; // no name, no branches
        for (int i = 0; i < 3_000; i++) {
            WireOutput out = new WireOutput(Integer.MAX_VALUE);
            out.putCount(0);
            out.putCount(1);
            out.putCount(tree.length);
            tree = join(Arrays.copyOf(out.array(), out.size()), tree);
            if (i == 200 || i == 2_999) {
                malformed(Samples.PROTOCOL, join(new byte[] {2}, tree));
            }
        }
    }

    @Test
    void failsWhatIsLargerThanAMessageMayBe() {
        Protocol protocol = Samples.protocol(Place.class);
        ProtocolCodec codec = new ProtocolCodec(protocol);
        for (int bytesMax = 0; bytesMax < 12; bytesMax++) {
            WireOutput out = new WireOutput(bytesMax);
            HearthException failure =
                    assertThrows(HearthException.class, () -> codec.encode(new Place("0123456789", 3), out));
            assertEquals(ErrorCode.MESSAGE_TOO_LARGE.name(), failure.code());
        }
        codec.encode(new Place("0123456789", 3), new WireOutput(13));
    }

    @Test
    @SuppressWarnings({"NullAway", "DataFlowIssue"})
    void saysWhichComponentIsNull() {
        List<Tree> branches = Arrays.asList(new Tree("a", List.of()), null);
        HearthException failure =
                assertThrows(HearthException.class, () -> Samples.encode(Samples.PROTOCOL, new Tree("root", branches)));
        assertEquals(ErrorCode.MALFORMED_MESSAGE.name(), failure.code());
        assertTrue(text(failure).contains("Tree.branches: null"), () -> text(failure));
    }

    record WithSet(Set<String> value) {}

    record WithBox(Integer value) {}

    record WithSmallBox(Character value) {}

    record WithObject(Object value) {}

    @SuppressWarnings("ArrayRecordComponent") // to be refused
    record WithArray(int[] value) {}

    record WithArrays(List<byte[]> value) {}

    record WithDate(List<LocalDate> value) {}

    record WithWildcard(List<? extends Place> value) {}

    record Generic<T>(T value) {}

    record WithGeneric(Generic<String> value) {}

    record Endless(int value, Endless more) {}

    record EndlessBack(List<EndlessPair> pairs, EndlessPair pair) {}

    record EndlessPair(EndlessBack back) {}

    enum Empty {}

    record WithEmpty(Empty value) {}

    @Test
    void refusesRecordsItCannotCarryAndNamesTheComponent() {
        for (Class<? extends Record> type : List.of(
                WithSet.class,
                WithBox.class,
                WithSmallBox.class,
                WithObject.class,
                WithArray.class,
                WithArrays.class,
                WithDate.class,
                WithWildcard.class,
                WithGeneric.class,
                WithEmpty.class)) {
            IllegalArgumentException refusal =
                    assertThrows(IllegalArgumentException.class, () -> new ProtocolCodec(Samples.protocol(type)));
            assertTrue(text(refusal).contains(type.getName() + ", component value"), () -> text(refusal));
        }
        for (Class<? extends Record> type : List.of(Endless.class, EndlessBack.class)) {
            IllegalArgumentException refusal =
                    assertThrows(IllegalArgumentException.class, () -> new ProtocolCodec(Samples.protocol(type)));
            assertTrue(text(refusal).contains("contains itself"), () -> text(refusal));
        }
    }

    @Test
    void refusesRecordsOfOtherProtocols() {
        assertThrows(IllegalArgumentException.class, () -> Samples.encode(Samples.PROTOCOL, new Old("a", 1)));
    }

    @Test
    void copiesThroughTheWire() {
        WireRoundTrip copy = new WireRoundTrip();
        assertEquals(Samples.everything(), copy.copy(Samples.PROTOCOL, Samples.everything()));
        assertInstanceOf(Samples.Nothing.class, copy.copy(Samples.PROTOCOL, new Samples.Nothing()));
    }

    private static Record roundTrip(Record message) {
        return Samples.decode(Samples.PROTOCOL, Samples.encode(Samples.PROTOCOL, message));
    }

    private static HearthException malformed(Protocol protocol, byte[] bytes) {
        HearthException failure = assertThrows(HearthException.class, () -> Samples.decode(protocol, bytes));
        assertEquals(ErrorCode.MALFORMED_MESSAGE.name(), failure.code());
        return failure;
    }

    private static String text(Throwable failure) {
        return String.valueOf(failure.getMessage());
    }

    private static String hex(Record message, Protocol protocol) {
        return HexFormat.of().formatHex(Samples.encode(protocol, message));
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
