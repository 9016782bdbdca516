package dev.hearth.rpc.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last value within each bound of the wire format, and the first one beyond it. */
class WireBoundsTest {
    @Test
    void readsNumbersThatFillAllTheirBits() {
        assertEquals(-1, bytes(-1, -1, -1, -1, 0x0F).takeCount());
        assertEquals(
                Long.MIN_VALUE, bytes(-1, -1, -1, -1, -1, -1, -1, -1, -1, 1).takeLong());
    }

    @ParameterizedTest
    @ValueSource(ints = {0x10, 0x1F, 0x7F, 0x80})
    void refusesAnIntOfMoreBits(int last) {
        assertThrows(WireFault.class, bytes(-1, -1, -1, -1, last, 1)::takeCount);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 0x7F, 0x80})
    void refusesALongOfMoreBits(int last) {
        assertThrows(WireFault.class, bytes(-1, -1, -1, -1, -1, -1, -1, -1, -1, last, 1)::takeLong);
    }

    @Test
    void countsTheElementsOfEachMessageByThemselves() {
        WireOutput out = new WireOutput(100);
        for (int message = 0; message < 2; message++) {
            out.putElements(WireOutput.ELEMENTS_MAX);
            assertThrows(WireFault.class, () -> out.putElements(1));
            out.reset();
        }
    }

    @Test
    void fillsAMessageToItsBound() {
        int bytesMax = 1_000; // more than the array has at first
        WireOutput out = new WireOutput(bytesMax);
        for (int i = 0; i < bytesMax; i++) {
            out.putByte(i);
        }
        assertEquals(bytesMax, out.size());
        WireFault fault = assertThrows(WireFault.class, () -> out.putByte(0));
        WireOutput atOnce = new WireOutput(bytesMax);
        atOnce.putBytes(Bytes.owning(new byte[bytesMax - 2])); // after a length of two bytes
        assertEquals(bytesMax, atOnce.size());
        assertEquals(
                ErrorCode.MESSAGE_TOO_LARGE.name(), fault.failure("message").code());
    }

    @Test
    void readsNanosecondsUpToASecond() {
        assertEquals(Duration.ofSeconds(0, 999_999_999), ScalarCodec.DURATION.read(nanos(999_999_999)));
        assertEquals(Instant.ofEpochSecond(0, 999_999_999), ScalarCodec.INSTANT.read(nanos(999_999_999)));
        assertThrows(WireFault.class, () -> ScalarCodec.DURATION.read(nanos(1_000_000_000)));
        assertThrows(WireFault.class, () -> ScalarCodec.INSTANT.read(nanos(1_000_000_000)));
    }

    /** Zero seconds and a number of nanoseconds. */
    private static WireInput nanos(int nanos) {
        WireOutput out = new WireOutput(100);
        out.putLong(0);
        out.putCount(nanos);
        return new WireInput(out.array(), 0, out.size());
    }

    private static WireInput bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return new WireInput(bytes, 0, bytes.length);
    }
}
