package dev.hearth.engine.internal.serializer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Primitive values in a byte array: boundaries of the encodings, of the array and of its growth. */
class RecordOutputTest {
    private static final int QUIET = RecordOutput.QUIET_BYTES;

    private static RecordInput input(RecordOutput out) {
        return new RecordInput().on(out.array(), 0, out.position());
    }

    @Test
    void roundTripsNumbersOfEveryLength() {
        RecordOutput out = new RecordOutput(0);
        List<Integer> numbers = new ArrayList<>(List.of(0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE));
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            numbers.addAll(List.of((1 << bit) - 1, 1 << bit, (1 << bit) + 1));
        }
        numbers.forEach(out::writeSize);
        RecordInput in = input(out);
        numbers.forEach(number -> assertEquals(number, in.readSize()));
        assertFalse(in.hasMore());
        assertEquals(1, bytesOf(127));
        assertEquals(2, bytesOf(128));
        assertEquals(2, bytesOf(16_383));
        assertEquals(3, bytesOf(16_384));
        assertEquals(5, bytesOf(-1));
    }

    private static int bytesOf(int number) {
        RecordOutput out = new RecordOutput(0);
        out.writeSize(number);
        return out.position();
    }

    @Test
    void readsUpToTheLimitAndNotPastIt() {
        byte[] bytes = new byte[100];
        RecordInput in = new RecordInput().on(bytes, 10, 18);
        in.expect(8);
        in.expect(0);
        assertThrows(CorruptRecordException.class, () -> in.expect(9));
        assertThrows(CorruptRecordException.class, () -> in.expect(-1));
        assertThrows(CorruptRecordException.class, () -> in.expect(Integer.MIN_VALUE));
        in.readLong();
        assertFalse(in.hasMore());
        assertThrows(CorruptRecordException.class, in::readByte);
        in.moveTo(15);
        for (Runnable read : List.<Runnable>of(in::readInt, in::readLong, in::readFloat, in::readDouble)) {
            assertThrows(CorruptRecordException.class, read::run);
        }
        in.moveTo(17);
        assertThrows(CorruptRecordException.class, in::readShort);
        assertThrows(CorruptRecordException.class, in::readChar);
        assertEquals(17, in.position());
    }

    @Test
    void asksForMemoryBeforeEachGrowthToALargeArrayAndReportsItsEnd() {
        List<String> calls = new ArrayList<>();
        RecordOutput out = new RecordOutput(16);
        out.ask(new RecordOutput.Growth() {
            @Override
            public int begin(int least, int wanted) {
                assertTrue(least <= wanted && wanted > QUIET, least + " of " + wanted);
                calls.add("begin from " + out.array().length);
                return least;
            }

            @Override
            public void end() {
                calls.add("end at " + out.array().length);
            }
        });
        out.require(QUIET / 2 + 1);
        out.moveTo(QUIET / 2);
        assertEquals(List.of(), calls, "a small array");
        out.require(QUIET);
        int large = out.array().length;
        assertEquals(List.of("begin from " + (QUIET / 2 + 1), "end at " + large), calls);
        assertTrue(large >= QUIET + QUIET / 2);
        out.moveTo(large);
        out.writeByte(1);
        assertEquals(List.of("begin from " + large, "end at " + out.array().length), calls.subList(2, 4));
        assertTrue(out.array().length > large + large / 10, "grows by a part of its length");
    }

    @Test
    void growsUpToItsBound() {
        RecordOutput out = new RecordOutput(16, 1000);
        out.write(new byte[1000], 0, 1000);
        assertEquals(1000, out.array().length);
        HearthException refused = assertThrows(HearthException.class, () -> out.writeByte(1));
        assertEquals("BAD_ARGUMENT", refused.code());
        assertEquals(1000, out.position());
    }
}
