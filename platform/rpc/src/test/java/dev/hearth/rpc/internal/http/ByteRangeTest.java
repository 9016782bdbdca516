package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Single byte ranges; any other range request gets the whole. */
class ByteRangeTest {
    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 10, bytes 0-0/10",
        "bytes=2-5, 10, bytes 2-5/10",
        "bytes=5-, 10, bytes 5-9/10",
        "bytes=5-99, 10, bytes 5-9/10",
        "bytes=-3, 10, bytes 7-9/10",
        "bytes=-99, 10, bytes 0-9/10",
        "bytes=10-, 10, bytes */10",
        "bytes=-0, 10, bytes */10",
        "bytes=0-, 0, bytes */0",
        "bytes=999999999999999999-, 10, bytes */10"
    })
    void findsTheBytesThatAreMeant(String header, long size, String range) {
        assertEquals(range, ByteRange.parse(header, size).orElseThrow().of(size));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bytes=5-2",
                "bytes=0-1,3-4",
                "lines=1-2",
                "bytes=-",
                "bytes=a-b",
                "bytes=1-2x",
                "",
                "bytes=1234567890123456789-"
            })
    void leavesOutWhatIsNoSingleRange(String header) {
        assertEquals(Optional.empty(), ByteRange.parse(header, 10));
    }
}
