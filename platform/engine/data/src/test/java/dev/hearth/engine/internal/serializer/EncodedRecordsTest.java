package dev.hearth.engine.internal.serializer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.Pair;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Inspection of serialised records agrees with deserialising them. */
class EncodedRecordsTest {
    private final RecordRoundTrip hand = new RecordRoundTrip();

    @Test
    void skipsEveryRecordToItsEnd() {
        List<Object> records = List.of(
                true,
                false,
                (byte) 1,
                (short) 2,
                'c',
                3,
                70_000,
                4L,
                1L << 40,
                1.5f,
                2.5,
                "text",
                "\u4e2d",
                "",
                new byte[300],
                new boolean[3],
                new short[2],
                new char[5],
                new int[7],
                new long[200],
                new float[1],
                new double[2],
                Pair.of(1, "x"),
                Pair.of(Pair.of(1, 2L), new byte[9]),
                BigInteger.TEN.pow(50),
                new BigDecimal("1.25"),
                new UUID(1, 2),
                LocalDate.EPOCH,
                new ArrayList<>(List.of(1, "y")));
        for (Object record : records) {
            byte[] bytes = hand.write(record);
            RecordInput in = new RecordInput().on(Arrays.copyOf(bytes, bytes.length + 50), 0, bytes.length + 50);
            hand.reader.skip(in);
            assertEquals(bytes.length, in.position(), record.getClass().getName());
            in.on(bytes, 0, bytes.length - 1);
            if (bytes.length > 1) {
                assertThrows(
                        CorruptRecordException.class,
                        () -> hand.reader.skip(in),
                        record.getClass().getName());
            }
        }
    }

    @Test
    void skipsPairsThatReferToOneObjectTwice() {
        byte[] shared = new byte[5];
        byte[] bytes = hand.write(Pair.of(shared, shared));
        RecordInput in = new RecordInput().on(bytes, 0, bytes.length);
        hand.reader.skip(in);
        assertEquals(bytes.length, in.position());
    }

    @Test
    void readsNumbersAndStrings() {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            long number = random.nextLong() >> random.nextInt(64);
            assertNumber(EncodedRecords.Kind.LONG, number, number);
            int small = (int) number;
            assertNumber(EncodedRecords.Kind.INTEGER, small, small);
            double real = Double.longBitsToDouble(number);
            assertNumber(EncodedRecords.Kind.DOUBLE, Double.doubleToRawLongBits(real), real);
        }
        assertText(EncodedRecords.Kind.LATIN, 3, "abc");
        assertText(EncodedRecords.Kind.WIDE, 4, "\u4e2dx");
        assertEquals(EncodedRecords.Kind.NULL, EncodedRecords.kind(hand.write(null), 0));
        assertEquals(EncodedRecords.Kind.OTHER, EncodedRecords.kind(hand.write(List.of()), 0));
    }

    private void assertNumber(EncodedRecords.Kind kind, long expected, Object written) {
        byte[] bytes = hand.write(written);
        assertEquals(kind, EncodedRecords.kind(bytes, 0), String.valueOf(written));
        RecordInput in = new RecordInput().on(bytes, 0, bytes.length);
        assertEquals(expected, EncodedRecords.readNumber(in), String.valueOf(written));
        assertEquals(bytes.length, in.position(), String.valueOf(written));
    }

    private void assertText(EncodedRecords.Kind kind, int length, String text) {
        byte[] bytes = hand.write(text);
        assertEquals(kind, EncodedRecords.kind(bytes, 0), text);
        RecordInput in = new RecordInput().on(bytes, 0, bytes.length);
        assertEquals(length, EncodedRecords.enterText(in), text);
        assertEquals(bytes.length - length, in.position(), text);
    }
}
